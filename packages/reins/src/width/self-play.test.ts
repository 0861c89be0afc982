import { box, discrete, type MultiEnv } from "@reins/core";
import { vectoriseMulti } from "@reins/core/forms";
import { onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic, teams } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import { leaves } from "@reins/tensor";
import { expect, it } from "vitest";
import { actingOf, expectResumes, runOf } from "./testing-resumes.ts";

/** Matching pennies. */
const pennies = (): MultiEnv => ({
  spec: {
    id: "Pennies-v0",
    observation: box([1]),
    action: discrete(2),
    agents: { names: ["even", "odd"], order: "parallel", policies: ["even", "odd"] },
  },
  reset: () => ({ observations: [[1], [1]] }),
  step: ([a, b]) => ({
    observations: [[1], [1]],
    rewards: a === b ? [1, -1] : [-1, 1],
    terminated: [true, true],
    truncated: [false, false],
    over: true,
  }),
  save: () => null,
  restore() {},
});

it("two policies in self-play: each is trained on its own view", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const { spec } = pennies();
      const policies = { even: actorCritic(spec, { hidden: [8] }), odd: actorCritic(spec, { hidden: [4] }) };
      return onPolicy(
        {
          name: "self-play",
          policy: teams(spec, policies),
          target: targets.gae({ gamma: 1, lambda: 1 }),
          loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError()),
          optimiser: adam(),
          learningRate: 0.01,
          envs: 8,
          steps: 8,
          epochs: 2,
          minibatches: 2,
          normalise: "none",
        },
        { ...context, env: (rows) => vectoriseMulti(pennies, rows / 2) },
      );
    }),
  );
  // The first layers of both policies, of different widths.
  const shapes = leaves(actingOf(run.process).weights).map((t) => t.shape);
  expect(shapes).toContainEqual([1, 8]);
  expect(shapes).toContainEqual([1, 4]);
  // A zero-sum game.
  expect(run.metrics["return/mean"]).toBeCloseTo(0);
});
