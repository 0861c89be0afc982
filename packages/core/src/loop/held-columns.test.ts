import { random, type Tensor, type Tree, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { VectorEnv } from "../env.ts";
import type { ActingPolicy } from "../policy.ts";
import { PolicyRunner } from "../policy-runner.ts";
import { box, dict, discrete } from "../space.ts";
import { StepRollout } from "./step-rollout.ts";
import { TransitionRollout } from "./transition-rollout.ts";

/** An endless environment; each step calls `change` with its columns. */
function endless(change: (env: { -readonly [name in keyof VectorEnv]: VectorEnv[name] }) => void): VectorEnv {
  const env: VectorEnv = {
    spec: { id: "Endless-v0", observation: dict({ a: box([1]), b: box([1]) }), action: discrete(2) },
    rows: 2,
    observation: { a: zeros([2, 1]), b: zeros([2, 1]) },
    final: { a: zeros([2, 1]), b: zeros([2, 1]) },
    reward: zeros([2]),
    terminated: zeros([2], "bool"),
    truncated: zeros([2], "bool"),
    mask: zeros([2, 2], "bool").set(1),
    ended: { return: new Float64Array(2), length: new Int32Array(2) },
    reset() {},
    step: () => change(env),
    save: () => ({}),
    restore() {},
  };
  return env;
}

const policy: ActingPolicy = {
  init: () => ({}),
  act: (_, { mask }, state) => ({ action: zeros([(mask as Tensor).shape[0]], "i32"), state }),
};
const common = { policy, weights: {} as Tree, key: random.key(1), seed: 1, steps: 2 };
const users: readonly (readonly [string, (env: VectorEnv) => unknown])[] = [
  ["a rollout of an on-policy method", (env) => new StepRollout({ env, ...common }).next()],
  [
    "a rollout of an off-policy method",
    (env) => new TransitionRollout({ env, ...common, randomSteps: 0 }).next(),
  ],
  ["an evaluation", (env) => new PolicyRunner({ policy, weights: {} }, env).step()],
];

describe.each(users)("%s", (_, run) => {
  it("refuses an environment whose steps replace a column", () => {
    const faults: [string, Parameters<typeof endless>[0]][] = [
      ["reward", (env) => (env.reward = zeros([2]))],
      ["mask", (env) => (env.mask = zeros([2, 2], "bool").set(1))],
      ["observation", (env) => (env.observation = { ...(env.observation as object), b: zeros([2, 1]) })],
      ["observation", (env) => ((env.observation as { b: Tensor }).b = zeros([2, 1]))],
    ];
    for (const [name, change] of faults)
      expect(() => run(endless(change))).toThrow(
        `Endless-v0: its steps replace the column \`${name}\` with a new tensor, but compiled code reads the first one.`,
      );
  });

  it("accepts a new record of the same tensors", () => {
    run(endless((env) => (env.observation = { ...(env.observation as { a: Tensor; b: Tensor }) })));
  });
});
