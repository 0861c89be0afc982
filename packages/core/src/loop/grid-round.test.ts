import { expect, it } from "vitest";
import { BatchedRuns } from "../batched-runs.ts";
import { define } from "../define.ts";
import type { VectorEnv } from "../env.ts";
import { params, point } from "../forms/testing-point.ts";
import { fromTraced } from "../forms/traced-vector.ts";
import * as losses from "../losses/index.ts";
import { nn } from "../nn.ts";
import { actorCritic } from "../policies/actor-critic.ts";
import { type RecurrentActorCriticOptions, recurrentActorCritic } from "../policies/recurrent.ts";
import { Run } from "../run.ts";
import { gae } from "../targets/gae.ts";
import { onPolicy } from "./on-policy.ts";

/** The environment without its traced form. */
const stepByStep = (env: VectorEnv): VectorEnv => Object.create(env, { traced: { value: undefined } });

function runOf({
  steps = 8,
  memory = undefined as RecurrentActorCriticOptions["kind"],
  whole = true,
  seed = 7,
  resume = undefined as Run | undefined,
}) {
  const make = (rows: number) => {
    const env = fromTraced(point, params(), rows);
    return whole ? env : stepByStep(env);
  };
  const run = new Run({
    algorithm: define({
      name: "grids",
      summary: "",
      options: {},
      start: (_, context) =>
        onPolicy(
          {
            name: "grids",
            policy: memory
              ? recurrentActorCritic(context.spec, { kind: memory, hidden: [8], units: 8, memorySteps: 5 })
              : actorCritic(context.spec, { hidden: [8] }),
            target: gae({ gamma: 0.9, lambda: 0.9 }),
            loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError()),
            optimiser: nn.adam(),
            learningRate: 0.01,
            envs: 4,
            steps,
            epochs: 2,
            minibatches: 2,
            normalise: "minibatch",
          },
          context,
        ),
    })(),
    env: { spec: point.spec, make },
    steps: 1e9,
    seed,
  });
  if (resume) run.restore(resume.save());
  return run;
}

const weightsOf = (run: Run) => (run.save() as { process: { weights: unknown; optimiser: unknown } }).process;

// Episodes are truncated after 15 steps: at most once per row in a grid of 8, twice in one of 40.
for (const memory of [undefined, "gru", "mingru", "transformer"] as const)
  for (const steps of [8, 40])
    it(`rollout and update in one call give the numbers of separate steps: ${steps} steps${memory ? `, ${memory}` : ""}`, () => {
      const [whole, apart] = [runOf({ steps, memory }), runOf({ steps, memory, whole: false })];
      for (let i = 0; i < 6; i++) for (const run of [whole, apart]) run.round();
      expect(whole.metrics["return/mean"]).toBeLessThan(0);
      expect({ ...whole.metrics }).toEqual({ ...apart.metrics });
      expect(weightsOf(whole).weights).toEqual(weightsOf(apart).weights);
      expect(weightsOf(whole).optimiser).toEqual(weightsOf(apart).optimiser);
    });

it("resumes exactly, also step by step", () => {
  const run = runOf({});
  for (let i = 0; i < 3; i++) run.round();
  const [again, apart] = [runOf({ resume: run }), runOf({ resume: run, whole: false })];
  for (const one of [run, again, apart]) for (let i = 0; i < 3; i++) one.round();
  expect(weightsOf(again)).toEqual(weightsOf(run));
  expect(weightsOf(apart).weights).toEqual(weightsOf(run).weights);
  expect({ ...again.metrics }).toEqual({ ...run.metrics });
});

it("runs of several seeds in one call equal separate runs", () => {
  const seeds = [7, 8, 9];
  const [alone, side] = [seeds, seeds].map((list) => list.map((seed) => runOf({ seed })));
  const together = new BatchedRuns(side);
  for (let i = 0; i < 4; i++) {
    for (const run of alone) run.round();
    together.round();
  }
  alone.forEach((run, i) => {
    expect(weightsOf(side[i])).toEqual(weightsOf(run));
    // The order of sums may differ in metrics.
    for (const [name, value] of Object.entries(run.metrics))
      expect(side[i].metrics[name]).toBeCloseTo(value, 5);
  });
  expect(weightsOf(alone[0]).weights).not.toEqual(weightsOf(alone[1]).weights);
  // Each can continue alone.
  for (const run of [alone[2], side[2]]) run.round();
  expect(weightsOf(side[2])).toEqual(weightsOf(alone[2]));
});
