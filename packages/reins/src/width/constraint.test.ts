import { box, discrete, type Env, type LossTerm, withSettings } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import { LiveValue } from "@reins/core/settings";
import * as signals from "@reins/core/signals";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import { mul, reshape, slice, sub, type Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

/** Two speeds: the fast one has more reward and more cost. */
const road = (): Env => ({
  spec: {
    id: "Road-v0",
    observation: box([1]),
    action: discrete(2),
    rewards: ["distance", "risk"],
    maxSteps: 4,
  },
  reset: () => ({ observation: [1] }),
  step: (fast) => ({
    observation: [1],
    reward: fast ? [1, 1] : [0.4, 0],
    terminated: false,
    truncated: false,
  }),
  save: () => null,
  restore() {},
});
const component = (reward: Tensor, i: number) =>
  reshape(
    slice(
      reward,
      reward.shape.map((n, axis) => (axis === reward.rank - 1 ? [i, i + 1] : [0, n])),
    ),
    reward.shape.slice(0, -1),
  );

it("a vector reward with a constraint: the multiplier rises until the limit holds", async () => {
  const make = () =>
    runOf((context) => {
      const multiplier = new LiveValue(
        "multiplier",
        signals.dual({ of: "risk", limit: 0.25, initial: 0, rate: 0.5 }),
      );
      const gae = targets.gae({ gamma: 0.9, lambda: 0.9 });
      const risk: LossTerm = {
        value({ columns, report }) {
          const r = component(columns.reward as Tensor, 1);
          report("risk", r);
          return mul(r, 0);
        },
      };
      const process = onPolicy(
        {
          name: "constrained",
          policy: actorCritic(road().spec, { hidden: [8] }),
          target: (s) =>
            gae({
              ...s,
              reward: sub(component(s.reward, 0), mul(component(s.reward, 1), multiplier.tensor)),
            }),
          loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError(), risk),
          optimiser: adam(),
          learningRate: 0.02,
          envs: 16,
          steps: 8,
          epochs: 4,
          minibatches: 1,
          normalise: "batch",
        },
        { ...context, env: (rows) => vectorise(road, rows) },
      );
      return withSettings(process, { multiplier });
    });
  const run = await expectResumes(make);
  expect(run.process.settings.multiplier.shown).toBeGreaterThan(0);
  for (let i = 0; i < 80; i++) run.round();
  expect(run.statistics.get("risk")?.average).toBeLessThan(0.45);
});
