import { box, type Columns, discrete, type Learner, type Policy, type TrainState } from "@reins/core";
import { recordedStep } from "@reins/core/episodes";
import { initTrainState, offline, optimiserStep } from "@reins/core/loops";
import { actorCritic, requireActingPolicy } from "@reins/core/policies";
import { defaultRng } from "@reins/core/random";
import { dataset, mixed } from "@reins/core/replay";
import { adam } from "@reins/nn";
import {
  exp,
  mean,
  minimum,
  mul,
  neg,
  segmentSum,
  setBackend,
  stopGradient,
  sub,
  type Tensor,
  type Tree,
  take,
  tensor,
  valueAndGradient,
  zeros,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { actingOf, expectResumes, runOf } from "./testing-resumes.ts";

setBackend("wasm");

const spec = { id: "Sorting-v0", observation: box([1], -1, 1), action: discrete(2) };

/** Logs of three behaviour policies: their probabilities of action 1. Action 1 is correct if x is above 0, but the third is mostly wrong. */
const behaviours = [() => 0.5, (x: number) => (x > 0 ? 0.7 : 0.3), (x: number) => (x > 0 ? 0.2 : 0.8)];

function logOf(behaviour: number, size: number): Columns {
  const rng = defaultRng(behaviour);
  const rows = Array.from({ length: size }, () => {
    const x = 2 * rng.random() - 1;
    const chance = behaviours[behaviour](x);
    const action = rng.random() < chance ? 1 : 0;
    return {
      x,
      action,
      logProb: Math.log(action ? chance : 1 - chance),
      reward: action === Number(x > 0) ? 1 : 0,
    };
  });
  return {
    observation: tensor(rows.map((r) => [r.x])),
    action: tensor(Int32Array.from(rows, (r) => r.action)),
    logProb: tensor(rows.map((r) => r.logProb)),
    reward: tensor(rows.map((r) => r.reward)),
    behaviour: tensor(Int32Array.from(rows, () => behaviour)),
  };
}

/** The off-policy gradient, with importance ratios to the behaviour policy of each step. */
function weightedGradient(policy: Policy): Learner<TrainState> {
  const pace = { optimiser: adam(), learningRate: 0.03 };
  return {
    reads: ["observation", "action", "logProb", "reward", "behaviour"],
    init: (key) => initTrainState(policy.init(key), pace.optimiser),
    update(learned, batch) {
      const who = batch.behaviour as Tensor;
      const each = (x: Tensor) => segmentSum(x, who, behaviours.length);
      const { value, gradient, aux } = valueAndGradient((w: Tree) => {
        const { logProb } = policy.score(w, recordedStep(batch));
        const weight = stopGradient(minimum(exp(sub(logProb, batch.logProb as Tensor)), 10));
        // Normalised per behaviour policy, so that one whose steps have become unlikely keeps its weight.
        const total = each(weight);
        const value = each(mul(weight, batch.reward as Tensor)).div(total);
        const advantage = sub(batch.reward as Tensor, take(value, who));
        const share = weight.div(take(total, who));
        return [neg(mean(mul(mul(share, advantage), logProb))), { value }] as const;
      })(learned.weights);
      const metrics = Object.fromEntries(
        behaviours.map((_, i) => [`value/behaviour ${i}`, aux.value.slice([[i, i + 1]]).reshape([])]),
      );
      return {
        state: optimiserStep(learned, gradient, pace).learned,
        metrics: { ...metrics, "loss/policy": value },
      };
    },
    acting: (learned) => learned.weights,
  };
}

it("logs of several policies, mixed by shares: importance ratios for each, and better than any of them", async () => {
  const policy = actorCritic(spec, { hidden: [16], critic: false });
  const make = () =>
    runOf((context) => {
      // Most logs are of the policy that is mostly wrong; the mixture sets its share of a minibatch.
      const experience = mixed(
        [64, 64, 512].map((size, i) => ({ of: dataset(logOf(i, size)), share: [2, 1, 1][i] })),
        { batch: 128, seed: context.seed },
      );
      const learner = weightedGradient(policy);
      return offline({ name: "several", learner, experience, batch: 128, updates: 5, policy }, context);
    });
  const run = await expectResumes(make);
  for (let i = 0; i < 30; i++) await run.round();
  // All behaviour policies give the same estimate of its value.
  for (const i of behaviours.keys()) expect(run.metrics[`value/behaviour ${i}`]).toBeGreaterThan(0.8);
  const { policy: learned, weights } = actingOf(run.process);
  const view = { observation: tensor([[0.5], [-0.5]]) };
  const { action } = requireActingPolicy(learned, "test").act(weights, view, {});
  expect(Array.from((action as Tensor).data)).toEqual([1, 0]);

  const blind = mixed([{ of: dataset({ observation: zeros([4, 1]) }), share: 1 }], { batch: 128 });
  const parts = { name: "several", learner: weightedGradient(policy), batch: 128, updates: 1 };
  expect(() => runOf((context) => offline({ ...parts, experience: blind }, context))).toThrow("Add `action`");
});
