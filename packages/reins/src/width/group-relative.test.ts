import type { Task } from "@reins/core";
import { episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { makeSingle } from "@reins/envs";
import { adam } from "@reins/nn";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

it("a group-relative target on CartPole: eight rollouts of the same start, no critic", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const envs = Array.from({ length: 8 }, () => makeSingle("CartPole-v1"));
      let start = 0;
      const task: Task = {
        next: () => [{ key: "start", seed: start++, groupSize: 8 }],
        save: () => start,
        restore: (s) => {
          start = s as number;
        },
      };
      const process = episodic(
        {
          name: "grpo",
          policy: actorCritic(envs[0].spec, { hidden: [16], critic: false }),
          envs,
          task,
          target: (batch, rewards) => ({
            advantage: targets.spread(targets.groupRelative(rewards, new Array(8).fill(0)), batch),
          }),
          loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
          optimiser: adam(),
          learningRate: 0.01,
          epochs: 4,
          minibatches: 1,
          normalise: "none",
        },
        context,
      );
      return {
        ...process,
        get steps() {
          return process.steps;
        },
        parts: { ...process.parts, task },
      };
    }),
  );
  const early = run.metrics["reward/mean"];
  for (let i = 0; i < 12; i++) run.round();
  expect(run.metrics["return/mean"]).toBeGreaterThan(early);
});
