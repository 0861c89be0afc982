import { cast, random, sum, type Tensor, type Tree, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { Env, VectorEnv } from "../env.ts";
import { vectoriseMulti } from "../forms/multi.ts";
import type { MultiEnv } from "../forms/multi-env.ts";
import { vectorise } from "../forms/vectorise.ts";
import type { ActingPolicy } from "../policy.ts";
import { box, discrete } from "../space.ts";
import { StepRollout } from "./step-rollout.ts";
import { TransitionRollout } from "./transition-rollout.ts";

/** The mask in the state after 0, 1 and 2 steps. */
const masks = [
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
] as const;

/** Two steps, then truncated, or terminated with `ends`. */
function narrow(ends = false, last: readonly number[] = masks[2]): Env {
  let at = 0;
  return {
    spec: { id: "Narrow-v0", observation: box([1]), action: discrete(3), maxSteps: 2 },
    reset: () => ({ observation: [(at = 0)] }),
    step: () => ({ observation: [++at], reward: 0, terminated: ends && at === 2, truncated: false }),
    mask: () => (at === 2 ? last : masks[at]),
  };
}

/** Acts by 0; values a state by the number of its allowed actions. */
const counting: ActingPolicy = {
  init: () => ({}),
  act: (_, { observation }, state) => {
    const rows = (observation as Tensor).shape[0];
    return { action: zeros([rows], "i32"), value: zeros([rows]), state };
  },
  value: (_, { mask }) => sum(cast(mask as Tensor, "f32"), -1),
};

const common = { policy: counting, weights: {} as Tree, key: random.key(1), seed: 1 };
const nextMasks = (env: VectorEnv) => {
  const rollout = new TransitionRollout({ env, ...common, steps: 3, randomSteps: 0 });
  rollout.next();
  const { data, size } = rollout.columns.nextMask as Tensor;
  return Array.from({ length: size / 3 }, (_, i) => [...data.slice(3 * i, 3 * i + 3)]);
};

describe("the mask of an episode's last state", () => {
  it("belongs to the transition that was truncated there", () => {
    expect(nextMasks(vectorise(() => narrow(), 1))).toEqual([
      [0, 1, 0],
      [1, 1, 0],
      [0, 1, 0],
    ]);
  });

  it("allows everything where the episode terminated, and where it would allow nothing", () => {
    const all = [
      [0, 1, 0],
      [1, 1, 1],
      [0, 1, 0],
    ];
    expect(nextMasks(vectorise(() => narrow(true, [0, 0, 0]), 1))).toEqual(all);
    expect(nextMasks(vectorise(() => narrow(false, [0, 0, 0]), 1))).toEqual(all);
  });

  it("is what the critic sees there", () => {
    const env = vectorise(() => narrow(), 1);
    const rollout = new StepRollout({ env, ...common, steps: 3 });
    rollout.next();
    expect([...rollout.columns.bootstrap.data]).toEqual([0, 2, 0]);
  });

  it("is that of each agent", () => {
    let at = 0;
    const view = () => ({ observations: [[at], [at]] });
    const env: MultiEnv = {
      spec: {
        id: "Pair-v0",
        observation: box([1]),
        action: discrete(3),
        agents: { names: ["a", "b"], order: "parallel" },
        maxSteps: 2,
      },
      reset: () => {
        at = 0;
        return view();
      },
      step: () => {
        at++;
        const none = [false, false];
        return { ...view(), rewards: [0, 0], terminated: none, truncated: none, over: false };
      },
      mask: (slot) => (slot === 0 ? masks[at] : [1, 1, 1]),
    };
    expect(nextMasks(vectoriseMulti(() => env, 1)).slice(2, 4)).toEqual([
      [1, 1, 0],
      [1, 1, 1],
    ]);
  });
});
