import {
  type AlgorithmMaker,
  box,
  discrete,
  type Env,
  Run,
  type Scope,
  type Setting,
  type StepEnvironment,
  type Task,
} from "@reins/core";
import { vectorise } from "@reins/core/forms";
import * as signals from "@reins/core/signals";
import { eq, leaves, type Tensor, where } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { algorithms } from "./registry.ts";

/** Two rooms, one step: action 1 is right, with a higher reward in the second room. */
function rooms(): Env {
  let room = 0;
  const see = () => Float32Array.of(room, 1 - room, 1);
  return {
    spec: { id: "Rooms-v0", observation: box([3], 0, 1), action: discrete(2), maxSteps: 4 },
    reset({ context } = {}) {
      room = (context as { room?: number } | undefined)?.room ?? 0;
      return { observation: see() };
    },
    step: (action) => ({
      observation: see(),
      reward: Number(action) * (1 + 4 * room),
      terminated: action === 1,
      truncated: false,
    }),
    save: () => room,
    restore: (from) => {
      room = from as number;
    },
  };
}
const place: StepEnvironment = { spec: rooms().spec, make: (rows) => vectorise(rooms, rows) };
const task: Task = {
  next: () => [0, 1].map((room) => ({ key: `room ${room}`, context: { room }, groupSize: 8 })),
};

/** A signal of a scope that is constant, and one that differs within a batch. */
const same = (scope: Scope, value: number): Setting =>
  scope === "run"
    ? value
    : scope === "task"
      ? signals.average({ of: "reward", scope, initial: value, scale: 0, offset: value })
      : signals.column((c) => (c.logProb as Tensor).mul(0).add(value), scope);
const differing = (scope: Scope, value: number): Setting =>
  scope === "task"
    ? signals.average({ of: "reward", scope, initial: value, decay: 0.5, scale: value / 4 })
    : signals.column(
        (c) => where(eq(c.action as Tensor, 1), 3 * value, 2 * value),
        scope as "sample" | "token",
      );

/** Settings with a large learning signal in a short time, so that every setting matters. */
const short: { readonly [name: string]: object } = {
  ppo: { envs: 4, steps: 8, epochs: 4, minibatches: 1, hidden: [4], learningRate: 0.05, normalise: "none" },
  a2c: { envs: 4, steps: 8, hidden: [4], learningRate: 0.05 },
  trpo: { envs: 4, steps: 8, epochs: 2, minibatches: 1, hidden: [4], maxKl: 0.05 },
  impala: { envs: 4, steps: 8, epochs: 4, hidden: [4], learningRate: 0.05 },
  ppg: {
    envs: 4,
    steps: 8,
    epochs: 4,
    minibatches: 1,
    auxiliaryEvery: 1,
    auxiliaryMinibatches: 1,
    hidden: [4],
    learningRate: 0.05,
    auxiliaryRate: 0.05,
    normalise: "none",
  },
  reinforce: { episodes: 8, hidden: [4], learningRate: 0.05, normalise: "none" },
  grpo: { groups: 2, groupSize: 8, epochs: 4, hidden: [4], learningRate: 0.02 },
};
/** A value of each setting that has an effect. */
const effective: { readonly [name: string]: number } = {
  clip: 0.1,
  clipHigh: 0.1,
  gamma: 0.3,
  lambda: 0.3,
  entropyWeight: 0.5,
  valueWeight: 0.5,
  klWeight: 0.5,
  correction: 0.3,
  lengthWeight: 0.5,
  clipRho: 0.5,
  clipC: 0.3,
  cloneWeight: 0.5,
};

/** Methods on grids of steps, which have no task column. */
const bySteps = ["ppo", "a2c", "trpo", "impala", "ppg"];

async function weightsAfter(maker: AlgorithmMaker, options: object): Promise<number[]> {
  const { name } = maker.definition;
  const algorithm = maker({ ...short[name], ...options });
  const steps = bySteps.includes(name);
  const run = new Run({ algorithm, env: place, steps: 1e6, seed: 2, ...(steps ? {} : { task }) });
  for (let i = 0; i < 3; i++) await run.round();
  return leaves(run.process.acting!.weights).flatMap((t) => Array.from(t.data));
}

const rank = (scope: Scope) => signals.scopes.indexOf(scope);
const everySetting = Object.values(algorithms).flatMap((maker) =>
  Object.entries(maker.definition.options)
    .filter(([, o]) => o.kind === "setting")
    .map(([k, o]) => ({ maker, name: maker.definition.name, k, per: o.per!, within: o.within })),
);

it("every setting declares its scope, and rejects finer signals by name", () => {
  expect(everySetting.length).toBeGreaterThan(150);
  for (const { maker, name, k, per, within } of everySetting)
    for (const scope of signals.scopes) {
      // Counts are whole numbers.
      const make = () => maker({ [k]: same(scope, within === "count" ? 1 : 0.5) });
      if (rank(scope) > rank(per)) expect(make).toThrow(`${name}: ${k} is`);
      else expect(make).not.toThrow();
    }
});

describe.each(Object.keys(short))("%s", (name) => {
  const maker = algorithms[name];
  const fine = everySetting.filter((s) => s.name === name && s.per !== "run" && s.k in effective);
  it.each(
    fine.flatMap(({ k, per }) =>
      signals.scopes.filter((s) => s !== "run" && rank(s) <= rank(per)).map((scope) => [k, scope] as const),
    ),
  )("%s per %s", async (k, scope) => {
    if (bySteps.includes(name) && scope === "task") {
      const options = { ...short[name], [k]: same(scope, 0.5) };
      const start = () => new Run({ algorithm: maker(options), env: place, steps: 100 });
      expect(start).toThrow(/each task/);
      return;
    }
    const value = effective[k];
    const constant = await weightsAfter(maker, { [k]: value });
    const column = await weightsAfter(maker, { [k]: same(scope, value) });
    column.forEach((w, i) => {
      expect(w).toBeCloseTo(constant[i], 5);
    });
    const moved = await weightsAfter(maker, { [k]: differing(scope, value) });
    expect(moved.every(Number.isFinite)).toBe(true);
    expect(Math.max(...moved.map((w, i) => Math.abs(w - constant[i])))).toBeGreaterThan(1e-5);
  });
});
