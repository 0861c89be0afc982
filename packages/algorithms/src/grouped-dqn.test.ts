import { box, discrete, image, type MultiEnv, Run, type StepEnvironment } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import { vectoriseMulti } from "@reins/core/forms";
import { exportPolicy } from "@reins/core/policies";
import * as signals from "@reins/core/signals";
import { leaves, setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { groupedDqn } from "./grouped-dqn.ts";
import { fingerprint } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

/** Four agents with equal observations: the first two are rewarded for action 1, the others for 0. */
const opposites = (): MultiEnv => ({
  spec: {
    id: "Opposites-v0",
    observation: box([1]),
    action: discrete(2),
    maxSteps: 1,
    agents: { names: ["a", "b", "c", "d"], order: "parallel" },
  },
  reset: () => ({ observations: [[1], [1], [1], [1]] }),
  step: (actions) => ({
    observations: [[1], [1], [1], [1]],
    rewards: actions.map((a, i) => (a === (i < 2 ? 1 : 0) ? 1 : 0)),
    terminated: [true, true, true, true],
    truncated: [false, false, false, false],
    over: true,
  }),
  save: () => null,
  restore() {},
});
const env: StepEnvironment = { spec: opposites().spec, make: (copies) => vectoriseMulti(opposites, copies) };

const settings = { hidden: [8], learningRate: 0.01, learningStarts: 64, batch: 8, capacity: 100 };
const start = (groups: number) =>
  new Run({
    algorithm: groupedDqn({ ...settings, groups, epsilon: signals.linear(1, 0.1, 0.5) }),
    env,
    steps: 4000,
    seed: 1,
  });

it.each([
  [1, 0.5],
  [2, 1],
  [4, 1],
])("with %i networks agents of opposite interests have return %f", (groups, earned) => {
  const run = start(groups);
  run.advance();
  expect(evaluate(run, env, { episodes: 4 }).mean).toBe(earned);
});

it("cannot be saved, because its agents act together, and says so", () => {
  const run = start(2);
  expect(() => exportPolicy(run.process.acting!, env.spec)).toThrow(
    "save: this policy cannot be exported, because it does not act on any number of rows: groups: got 7 observations, but its networks belong to 4 agents",
  );
});

it("each group has its own encoder", () => {
  const shown = (): MultiEnv => {
    const inner = opposites();
    const pictures = [1, 1, 1, 1].map(() => new Uint8Array(4).fill(255));
    return {
      ...inner,
      spec: { ...inner.spec, observation: image(2, 2, 1) },
      reset: () => ({ observations: pictures }),
      step: (actions) => ({ ...inner.step(actions), observations: pictures }),
    };
  };
  const run = new Run({
    algorithm: groupedDqn({ ...settings, groups: 2, epsilon: signals.linear(1, 0.1, 0.5) }),
    env: { spec: shown().spec, make: (copies) => vectoriseMulti(shown, copies) },
    steps: 1500,
    seed: 1,
  });
  run.advance();
  expect(leaves(run.process.acting!.weights).map((t) => t.shape)).toContainEqual([2, 16, 1, 3, 3]);
  expect(evaluate(run, undefined, { episodes: 4 }).mean).toBe(1);
});

it("resumes exactly", () => {
  const [run, again] = [start(4), start(4)];
  run.round();
  again.restore(run.save());
  for (const r of [run, again]) r.advance(1500);
  expect(fingerprint(again)).toEqual(fingerprint(run));
});

it("rejects groups of unequal size, and environments with one agent", () => {
  expect(() => start(3)).toThrow("4 agents cannot be split into 3 equal groups");
  const { agents: _, ...spec } = env.spec;
  expect(() => new Run({ algorithm: groupedDqn(), env: { ...env, spec }, steps: 1 })).toThrow(
    "has one agent",
  );
});

it("refuses games with turns, in which entries have no fixed order of agents", () => {
  const turns = { ...env.spec, agents: { ...env.spec.agents!, order: "turns" as const } };
  const algorithm = groupedDqn({ ...settings, groups: 2 });
  expect(() => new Run({ algorithm, env: { ...env, spec: turns }, steps: 10 })).toThrow("agents take turns");
});
