import { box, discrete, type Env, type Task, withSettings } from "@reins/core";
import { episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import { LiveTask } from "@reins/core/settings";
import * as signals from "@reins/core/signals";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

/** Guess the digit of the context; a context of 9 cannot be solved. */
function guess(): Env {
  let digit = 0;
  return {
    spec: { id: "Guess-v0", observation: box([3]), action: discrete(3) },
    reset({ context } = {}) {
      digit = context?.digit as number;
      return { observation: [0, 1, 2].map((d) => (d === digit ? 1 : 0)) };
    },
    step: (a) => ({
      observation: [0, 0, 0],
      reward: a === digit ? 1 : 0,
      terminated: true,
      truncated: false,
    }),
    save: () => digit,
    restore: (s) => {
      digit = s as number;
    },
  };
}

it("a solve rate per task drives a Signal: tasks that are neither impossible nor mastered are sampled most", async () => {
  const make = () =>
    runOf((context) => {
      const rate = new LiveTask(
        "rate",
        signals.average({ of: "reward", scope: "task", initial: 0.5, decay: 0.5 }),
      );
      const task: Task = {
        next: () =>
          [0, 1, 9].map((digit) => {
            const p = rate.for(`digit ${digit}`);
            return { key: `digit ${digit}`, context: { digit }, groupSize: 2 + Math.round(16 * p * (1 - p)) };
          }),
      };
      const process = episodic(
        {
          name: "curriculum",
          policy: actorCritic(guess().spec, { hidden: [8], critic: false }),
          envs: [guess(), guess(), guess(), guess()],
          task,
          target: (batch, rewards) => ({
            advantage: targets.spread(
              targets.groupRelative(rewards, batch.index.kind === "episodes" ? batch.index.groups : []),
              batch,
            ),
          }),
          loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
          optimiser: adam(),
          learningRate: 0.02,
          epochs: 1,
          minibatches: 1,
          normalise: "none",
        },
        context,
      );
      return withSettings(process, { rate });
    });
  const run = await expectResumes(make);
  for (let i = 0; i < 6; i++) run.round();
  const { rate } = run.process.settings;
  if (!(rate instanceof LiveTask)) expect.unreachable();
  expect(rate.for("digit 9")).toBeLessThan(0.05);
  expect(run.statistics.get("reward", "digit 9")?.count).toBeLessThan(
    run.statistics.get("reward", "digit 0")?.count ?? 0,
  );
});
