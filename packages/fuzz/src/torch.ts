import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Values } from "./compare.ts";
import type { Outcome } from "./expectation.ts";
import { prune } from "./generate.ts";
import { type Input, inputTensors, type Program, runNodes } from "./program.ts";

/** PyTorch's results for a program, or the reason why there are none. */
export type PeerAnswer = { readonly values: readonly Values[] } | { readonly skip: string };

const arrays = { f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array, bool: Uint8Array };

/** PyTorch in a separate process: programs are sent as JSON, elements as bytes, since JSON has no NaN. */
export class TorchPeer {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly reader: Interface;

  constructor(python: string) {
    const script = fileURLToPath(new URL("../peers/torch_peer.py", import.meta.url));
    this.child = spawn(python, [script], { stdio: ["pipe", "pipe", "ignore"] });
    this.reader = createInterface({ input: this.child.stdout! });
    this.lines = this.reader[Symbol.asyncIterator]();
  }

  async run(programs: readonly Program[]): Promise<PeerAnswer[]> {
    const list = programs.map(givenForeign).map((p) => ({
      inputs: p.inputs.map((i) => ({
        id: i.id,
        shape: i.shape,
        dtype: i.dtype,
        data: Buffer.from(arrays[i.dtype].from(i.values[0]).buffer).toString("base64"),
      })),
      nodes: p.nodes,
      outputs: [...p.inputs.flatMap((i) => (i.role === "state" ? [i.next] : [])), ...p.outputs],
    }));
    this.child.stdin!.write(`${JSON.stringify(list, spelled)}\n`);
    const { value, done } = await this.lines.next();
    if (done) return programs.map(() => ({ skip: "PyTorch's process ended" }));
    type Answer = {
      skip?: string;
      outputs?: { shape: number[]; dtype: keyof typeof arrays; data: string }[];
    };
    return (JSON.parse(value) as Answer[]).map((a) =>
      a.outputs
        ? {
            values: a.outputs.map(({ shape, dtype, data }) => {
              const bytes = Uint8Array.from(Buffer.from(data, "base64"));
              return { shape, dtype, data: new arrays[dtype](bytes.buffer) };
            }),
          }
        : { skip: a.skip ?? "no answer" },
    );
  }

  end(): void {
    this.reader.close();
    this.child.kill("SIGKILL");
  }
}

/** JSON has no negative zero. */
const spelled = (_: string, v: unknown) => (Object.is(v, -0) ? "-0" : v);

/** Operations whose results differ in PyTorch: it has other random numbers, and the signs of eigenvectors are arbitrary. */
const foreign = /^(random\.|eigh$|svd$)/;

/** The program with the results of such operations as inputs, so that the rest can be compared. */
function givenForeign(p: Program): Program {
  const found = p.nodes.filter((n) => foreign.test(n.op));
  if (!found.length) return p;
  const env = inputTensors(p, 0);
  runNodes(p.nodes, env);
  const given = found
    .flatMap((n) => n.outs)
    .map(({ id }): Input => {
      const t = env.get(id)!;
      return { id, shape: t.shape, dtype: t.dtype, values: [Array.from(t.data)], role: "argument" };
    });
  return prune({ ...p, inputs: [...p.inputs, ...given], nodes: p.nodes.filter((n) => !found.includes(n)) });
}

/** The first call only: the second computes the same with other numbers. */
export const firstCall = (o: Outcome): Outcome => o.slice(0, 1);

/** PyTorch's result with the expected signs of zeros, which are unspecified. */
export const equalUpToZeroSigns = (got: Values, want: Values): Values => ({
  ...got,
  data: Array.from(got.data, (v, i) => (v === 0 && want.data[i] === 0 ? want.data[i] : v)),
});
