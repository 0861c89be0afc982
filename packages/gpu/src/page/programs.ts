import { type BackendName, compile, type Tensor, tensor } from "@reins/tensor";
import type { Values } from "../../../fuzz/dist/compare.js";
import { calls, expected } from "../../../fuzz/dist/expectation.js";
import { generate } from "../../../fuzz/dist/generate.js";
import { judge } from "../../../fuzz/dist/judge.js";
import { inputTensors, type Program, runProgram } from "../../../fuzz/dist/program.js";
import { type Interposed, interpose } from "../../../tensor/dist/testing/index.js";
import { randomGraph } from "../../../tensor/dist/testing/random-graph.js";
import { differences, type Result, readAll } from "./agreement.ts";
import { tolerance } from "./operations.ts";
import { attempt, type Section } from "./section.ts";

const copies = (ts: readonly Tensor[]) =>
  ts.map((t) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }));

/** Random graphs: two calls that donate their state, and three runs of a bound function. */
export const graphs: Section = async function* (count) {
  for (let seed = 0; seed < count; seed++) {
    const graph = randomGraph(seed);
    const run = async (backend: BackendName) => {
      const f = compile(graph.run, { backend, donate: [0] });
      await f.ready(copies(graph.state), graph.xs);
      const first = f(copies(graph.state), graph.xs);
      const second = f(first.state, graph.xs);
      const bound = f.bind(copies(graph.state), graph.xs);
      for (let i = 0; i < 3; i++) bound.run();
      const results = await readAll([...second.state, ...second.others, ...bound.result.state]);
      bound.dispose();
      return results;
    };
    const compared = await attempt(async () =>
      differences(await run("webgpu"), await run("wasm"), tolerance.gradients),
    );
    yield { what: `graph ${seed} (${graph.steps.join(", ")})`, ...compared };
  }
};

/** The seed of the random programs. */
const seed = 37;

/** Random programs of the whole interface, judged by how far rounding errors of this size could carry. */
export const programs: Section = async function* (count) {
  for (let index = 0; index < count; index++) {
    const { program } = generate(seed, index);
    yield {
      what: `program ${index}`,
      ...(await attempt(async () => {
        const got = await outcome(program);
        const verdict = (want: ReturnType<typeof expected>) =>
          judge(
            program,
            got.map((call, k) => call.map((r, n) => withinRange(r, want[k][n]))),
            want,
            2e-6,
          ).verdict?.detail;
        return verdict(expected(program)) && verdict(interpose(flushed, () => expected(program)));
      })),
    };
  }
};

/**
 * A GPU may take numbers below the normal range for 0, and with them products of such numbers: they count as equal. So do their
 * reciprocals, which are infinite or nearly so.
 */
function withinRange(got: Result, want: Values): Result {
  if (got.dtype !== "f32" || got.data.length !== want.data.length) return got;
  const equal = (a: number, b: number) =>
    (Math.abs(a) < 1e-30 && Math.abs(b) < 1e-30) ||
    (Math.abs(a) > 8e37 && Math.abs(b) > 8e37 && a > 0 === b > 0);
  return { ...got, data: Float32Array.from(got.data, (x, i) => (equal(x, want.data[i]) ? want.data[i] : x)) };
}

/** Numbers below the normal range as 0, after every operation: what a GPU may compute, with all that follows from it. */
const flushed: Interposed = (_, inputs, plain) => {
  const out = plain(inputs);
  if (out instanceof Float32Array) out.forEach((x, i) => (out[i] = Math.abs(x) < 1.1754944e-38 ? 0 : x));
  return out;
};

/** The results of a program at each of its calls. */
async function outcome(p: Program) {
  const env = inputTensors(p, 0);
  const of = (role: string) => p.inputs.filter((x) => x.role === role);
  const values = (role: string) => of(role).map((x) => env.get(x.id)!);
  const f = compile(
    (state: Tensor[], xs: Tensor[]) => {
      const inner = new Map(env);
      of("state").forEach((q, k) => inner.set(q.id, state[k]));
      of("argument").forEach((q, k) => inner.set(q.id, xs[k]));
      return runProgram(p, inner);
    },
    { backend: "webgpu", name: "program", donate: [0] },
  );
  let state = values("state");
  await f.ready(state, values("argument"));
  const out: Awaited<ReturnType<typeof readAll>>[] = [];
  for (let k = 0; k < calls; k++) {
    const result = f(state, values("argument"));
    out.push(await readAll([...result.state, ...result.others]));
    state = result.state;
    for (const x of p.inputs) if (x.role !== "state") env.get(x.id)!.set(x.values[1] as number[]);
  }
  return out;
}
