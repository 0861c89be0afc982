import { type Tensor, treeMap } from "@reins/tensor";
import { expect, it } from "vitest";
import { define } from "../define.ts";
import type { Env } from "../env.ts";
import { vectorise } from "../forms/vectorise.ts";
import * as losses from "../losses/index.ts";
import { nn } from "../nn.ts";
import { actorCritic } from "../policies/actor-critic.ts";
import { Run } from "../run.ts";
import type { Snapshot } from "../snapshot.ts";
import { discrete } from "../space.ts";
import { gae } from "../targets/gae.ts";
import { type OnPolicyWindowParts, onPolicyWindow } from "./on-policy-window.ts";

/** Rewards the second of two arms. */
function arms(): Env {
  return {
    spec: { id: "Arms-v0", observation: discrete(1), action: discrete(2) },
    reset: () => ({ observation: 0 }),
    step: (action) => ({ observation: 0, reward: action as number, terminated: true, truncated: false }),
    save: (): Snapshot => null,
    restore: () => {},
  };
}

const runOf = (changes: Partial<OnPolicyWindowParts>) =>
  new Run({
    algorithm: define({
      name: "windowed",
      summary: "",
      options: {},
      start: (_, context) =>
        onPolicyWindow(
          {
            name: "windowed",
            policy: actorCritic(context.spec, { hidden: [] }),
            target: gae({ gamma: 0.9, lambda: 0.9 }),
            loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError()),
            optimiser: nn.adam(),
            learningRate: 0.05,
            envs: 2,
            steps: 4,
            every: 2,
            window: 4,
            epochs: 2,
            minibatches: 1,
            normalise: "batch",
            ...changes,
          },
          context,
        ),
    })(),
    env: { spec: arms().spec, make: (rows) => vectorise(arms, rows) },
    steps: 100_000,
    seed: 3,
  });

it("learns from its window, and resumes exactly", () => {
  const run = runOf({});
  for (let i = 0; i < 5; i++) run.round();
  const saved = run.save();
  for (let i = 0; i < 20; i++) run.round();
  expect(run.steps).toBe(25 * 16);
  expect(run.metrics["return/mean"]).toBeGreaterThan(0.8);
  const again = runOf({});
  again.restore(saved);
  for (let i = 0; i < 20; i++) again.round();
  expect({ ...again.metrics }).toEqual({ ...run.metrics });
});

it("other weights may act; the policy's own are trained", () => {
  const behaviour: OnPolicyWindowParts["behaviour"] = (weights, { logProb }) => {
    expect((logProb as Tensor).shape).toEqual([32]);
    return treeMap((t) => t.add(1), weights);
  };
  const run = runOf({ behaviour, learningRate: 0 });
  const before = run.save() as { process: { weights: Snapshot; acting: Snapshot } };
  run.round();
  const after = run.save() as typeof before;
  expect(after.process.weights).toEqual(before.process.weights);
  expect(after.process.acting).not.toEqual(before.process.acting);
});

it("a window must hold all grids between updates", () => {
  expect(() => runOf({ every: 4, window: 2 })).toThrow("loses some of the 4");
});
