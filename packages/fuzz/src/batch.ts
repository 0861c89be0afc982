import { copyOf, differences, type Values } from "./compare.ts";
import { calls, type Outcome } from "./expectation.ts";
import type { BackendName, Tensor } from "./internals.ts";
import * as o from "./internals.ts";
import { inputTensors, type Program, runProgram } from "./program.ts";

/** How a batch of programs is run. */
export interface Setting {
  readonly backend: BackendName;
  readonly threads?: number;
  readonly donate: boolean;
  readonly bound: boolean;
  /** Collect garbage between binding and running, and allocate other tensors in between. */
  readonly collect: boolean;
}

/** Functions that are unrelated to the programs and whose memory must not change. */
const bystanders: { tensor: Tensor; bound: o.Bound<Tensor>; was: Values[] }[] = [];
const moved = o.compile((x: Tensor) => o.add(x, 1), { backend: "wasm", name: "bystander" });

function addBystander(size: number): void {
  const tensor = o.tensor(new Float32Array(size).fill(bystanders.length + 0.5));
  const bound = moved.bind(tensor);
  bound.run();
  bystanders.push({ tensor, bound, was: [copyOf(tensor), copyOf(bound.result)] });
  if (bystanders.length > 12) bystanders.shift()!.bound.dispose();
}

/** A description of an overwritten bystander, if there is one. */
function harmed(): string | undefined {
  for (const { tensor, bound, was } of bystanders)
    for (const [i, t] of [tensor, bound.result].entries()) {
      const d = differences(copyOf(t), was[i]);
      if (d?.length) {
        bystanders.length = 0;
        return `an unrelated tensor of ${t.size} elements was overwritten at ${d.length} of them`;
      }
    }
  return undefined;
}

const collectGarbage = (globalThis as { gc?: () => void }).gc;
/** Finalisers run only after the current task. */
const later = () => new Promise<void>((done) => setImmediate(done));

/** Runs programs as one compiled function. Returns the outcome of each, or the memory that was overwritten. */
export async function runBatch(
  programs: readonly Program[],
  setting: Setting,
): Promise<{ outcomes: Outcome[]; harm?: string }> {
  const { backend, threads, donate, bound, collect } = setting;
  const envs = programs.map((p) => inputTensors(p, 0));
  const of = (role: string) =>
    programs.map((p, i) => p.inputs.filter((x) => x.role === role).map((x) => envs[i].get(x.id)!));
  const [state, xs] = [of("state"), of("argument")];
  const fn = (s: Tensor[][], x: Tensor[][]) => {
    const results = programs.map((p, i) => {
      const env = new Map(envs[i]);
      p.inputs.filter((q) => q.role === "state").forEach((q, k) => env.set(q.id, s[i][k]));
      p.inputs.filter((q) => q.role === "argument").forEach((q, k) => env.set(q.id, x[i][k]));
      return runProgram(p, env);
    });
    return { state: results.map((q) => q.state), others: results.map((q) => q.others) };
  };
  const options = {
    backend,
    name: "programs",
    ...(threads ? { threads } : {}),
    ...(donate ? { donate: [0] } : {}),
  };
  const outcomes: Values[][][] = programs.map(() => []);
  const note = (result: ReturnType<typeof fn>) =>
    programs.forEach((_, i) => outcomes[i].push([...result.state[i], ...result.others[i]].map(copyOf)));
  const between = async () => {
    if (!collect) return;
    collectGarbage?.();
    await later();
    for (const size of [100, 1000, 4096]) addBystander(size);
  };
  /** Sets other values for the second call, in place. */
  const change = () =>
    programs.forEach((p, i) => {
      for (const x of p.inputs) if (x.role !== "state") envs[i].get(x.id)!.set(x.values[1] as number[]);
    });
  let harm: string | undefined;
  if (bound) {
    const b = (() => o.compile(fn, options).bind(state, xs))();
    for (let k = 0; k < calls; k++) {
      await between();
      b.run();
      harm ??= harmed();
      note(b.result);
      if (!donate)
        programs.forEach((_, i) => b.result.state[i].forEach((t, n) => state[i][n].set(t.data.slice())));
      change();
    }
    b.dispose();
  } else {
    const f = o.compile(fn, options);
    let now = state;
    for (let k = 0; k < calls; k++) {
      await between();
      const before = donate ? [] : [...now.flat(), ...xs.flat()].map(copyOf);
      const result = f(now, xs);
      harm ??= harmed();
      [...(donate ? [] : [...now.flat(), ...xs.flat()])].forEach((t, n) => {
        if (differences(copyOf(t), before[n])?.length) harm ??= `argument ${n} was overwritten`;
      });
      note(result);
      now = result.state;
      change();
    }
  }
  return { outcomes, ...(harm ? { harm } : {}) };
}
