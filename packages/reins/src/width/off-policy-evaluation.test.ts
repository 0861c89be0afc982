import { box, discrete, type Episode } from "@reins/core";
import { importanceSampling } from "@reins/core/evaluations";
import { EpisodeRecorder, offline, policyLearner } from "@reins/core/loops";
import { actorCritic, isScoringPolicy } from "@reins/core/policies";
import { dataset } from "@reins/core/replay";
import { adam } from "@reins/nn";
import { random, type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { actingOf, expectResumes, runOf } from "./testing-resumes.ts";

const spec = { id: "Two-v0", observation: box([1]), action: discrete(2) };
/** Logs of two steps each by a policy that takes action 1 with probability 0.3; its reward is 1, that of action 0 is 0. */
const logs: Episode[] = Array.from({ length: 400 }, (_, e) => {
  const recorder = new EpisodeRecorder();
  for (let t = 0; t < 2; t++) {
    const action = random.uniform(random.key(2 * e + t), []).item() < 0.3 ? 1 : 0;
    const logProb = Math.log(action ? 0.3 : 0.7);
    recorder.add({
      observation: tensor([[1]]),
      action: tensor(Int32Array.of(action)),
      logProb,
      reward: action,
    });
  }
  return recorder.finish({ terminated: true, truncated: false });
});

it("an off-policy evaluation: the value of a policy from another policy's logs", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const policy = actorCritic(spec, { hidden: [8], critic: false });
      const learner = policyLearner(policy, {
        loss: { value: ({ scored, columns }) => scored.logProb.mul(columns.reward as Tensor).mul(-1) },
        optimiser: adam(),
        learningRate: 0.005,
        epochs: 1,
        minibatches: 1,
        normalise: "none",
      });
      const process = offline(
        {
          name: "weighted cloning",
          learner,
          experience: dataset(logs),
          batch: 64,
          updates: 5,
          policy,
        },
        context,
      );
      const evaluate = importanceSampling(actingOf(process));
      return {
        get steps() {
          return process.steps;
        },
        step: () => {
          process.step();
          const { mean, interval } = evaluate(logs);
          return { "value/estimate": mean, "value/low": interval[0], "value/high": interval[1] };
        },
        parts: process.parts,
        acting: process.acting,
      };
    }),
  );
  const { policy, weights } = actingOf(run.process);
  if (!isScoringPolicy(policy)) return expect.unreachable();
  const one = { view: { observation: tensor([[1]]) }, action: tensor([1], { dtype: "i32" }) };
  const chance = Math.exp(policy.score(weights, one).logProb.item());
  expect(chance).toBeGreaterThan(0.5);
  // The true value: two steps, each with the probability of action 1.
  expect(run.metrics["value/low"]).toBeLessThan(2 * chance);
  expect(run.metrics["value/high"]).toBeGreaterThan(2 * chance);
});
