import { box, discrete, type Env, type Episode, type Started, type Task } from "@reins/core";
import * as judges from "@reins/core/judges";
import { episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

/** The proposer chooses a number of options, 2 to 6. */
const proposing = (): Env =>
  oneStep(
    { id: "Propose-v0", observation: box([1]), action: discrete(5) },
    () => [1],
    () => 0,
  );
/** The solver must find the first of that many options. */
const solving = (): Env => {
  let choices = 2;
  return oneStep(
    { id: "Solve-v0", observation: box([1]), action: discrete(6) },
    (context) => [(choices = (context?.choices as number) ?? 2)],
    (a) => (a < choices ? (a === 0 ? 1 : 0) : 0),
  );
};
const settings = {
  optimiser: adam(),
  learningRate: 0.03,
  epochs: 1,
  minibatches: 1,
  normalise: "none",
} as const;

it("a proposer rewarded by its solver: proposals are problems, outcomes are rewards", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      let proposals: readonly Episode[] = [];
      const solve: Task = {
        next: () =>
          proposals.map((p, i) => ({
            key: `proposal ${i}`,
            context: { choices: 2 + (p.columns.action as Tensor).data[0] },
            groupSize: 4,
            from: [p],
          })),
      };
      let outcomes: readonly Episode[] = [];
      const relative: Parameters<typeof episodic>[0]["target"] = (batch, rewards) => ({
        advantage: targets.spread(
          targets.groupRelative(rewards, batch.index.kind === "episodes" ? batch.index.groups : [], {
            scale: "none",
          }),
          batch,
        ),
      });
      const solver = episodic(
        {
          ...settings,
          name: "solver",
          policy: actorCritic(solving().spec, { hidden: [16], critic: false }),
          envs: Array.from({ length: 8 }, solving),
          task: { ...solve, observe: (judged) => (outcomes = judged.map((j) => j.episode)) },
          target: relative,
          loss: losses.policyGradient(),
        },
        context,
      );
      const proposer: Started = episodic(
        {
          ...settings,
          name: "proposer",
          policy: actorCritic(proposing().spec, { hidden: [8], critic: false }),
          envs: Array.from({ length: 8 }, proposing),
          // The reward is high if the solver sometimes succeeds: neither never nor always.
          judge: (episodes, court) => {
            proposals = episodes;
            solver.step();
            const wage = judges.each((p) => {
              const own = outcomes.filter((o) => o.links?.some((l) => l.episode === p));
              const rate = own.reduce((s, o) => s + o.return[0], 0) / Math.max(1, own.length);
              return 4 * rate * (1 - rate);
            });
            return wage(episodes, court);
          },
          target: relative,
          loss: losses.policyGradient(),
        },
        context,
      );
      return {
        get steps() {
          return proposer.steps + solver.steps;
        },
        step: () => proposer.step(),
        parts: { proposer: proposer.parts, solver: solver.parts },
      };
    }),
  );
  expect(run.metrics["reward/mean"]).toBeGreaterThan(0);
});

/** An episode of one action. */
function oneStep(
  spec: Env["spec"],
  see: (context?: Record<string, unknown>) => number[],
  pay: (action: number) => number,
): Env {
  return {
    spec,
    reset: ({ context } = {}) => ({ observation: see(context) }),
    step: (a) => ({ observation: see(), reward: pay(a as number), terminated: true, truncated: false }),
  };
}
