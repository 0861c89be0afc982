import { type Batch, box, discrete, type Learner, type Policy, type TrainState } from "@reins/core";
import { recordedStep } from "@reins/core/episodes";
import { initTrainState, offline, optimiserStep } from "@reins/core/loops";
import { actorCritic, requireActingPolicy } from "@reins/core/policies";
import { defaultRng } from "@reins/core/random";
import { dataset } from "@reins/core/replay";
import { adam } from "@reins/nn";
import {
  logSigmoid,
  mean,
  neg,
  reshape,
  setBackend,
  slice,
  sub,
  type Tensor,
  type Tree,
  tensor,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { actingOf, expectResumes, runOf } from "./testing-resumes.ts";

setBackend("wasm");

const pace = { optimiser: adam(), learningRate: 0.02 };

/** Answers to 128 prompts about four quadrants. Each prompt has a correct and a wrong answer, in this order. */
function comparisons(): Batch {
  const rng = defaultRng(1);
  const prompts = Array.from({ length: 128 }, () => [2 * rng.random() - 1, 2 * rng.random() - 1]);
  const right = prompts.map(([x, y]) => 2 * Number(x > 0) + Number(y > 0));
  const answers = right.flatMap((r) => [r, (r + 1 + rng.integers(0, 3)) % 4]);
  return {
    columns: {
      observation: tensor(prompts.flatMap((p) => [p, p])),
      action: tensor(Int32Array.from(answers)),
      // The reference policy is uniform.
      reference: tensor(new Float32Array(256).fill(Math.log(1 / 4))),
    },
    index: { kind: "lists", members: prompts.map((_, i) => [2 * i, 2 * i + 1]) },
  };
}

/** Direct preference optimisation (Rafailov et al., 2023): pairs are [pairs, 2, …], the preferred one first. */
function direct(policy: Policy, beta: number): Learner<TrainState> {
  return {
    reads: ["observation", "action", "reference"],
    init: (key) => initTrainState(policy.init(key), pace.optimiser),
    update(learned, pairs) {
      const [count] = (pairs.action as Tensor).shape;
      const single = treeMap((t) => reshape(t, [2 * count, ...t.shape.slice(2)]), pairs);
      const { value, gradient, aux } = valueAndGradient((w: Tree) => {
        const { logProb } = policy.score(w, recordedStep(single));
        const gain = reshape(sub(logProb, single.reference as Tensor), [count, 2]);
        const margin = sub(slice(gain, [null, [0, 1]]), slice(gain, [null, [1, 2]]));
        return [neg(mean(logSigmoid(margin.mul(beta)))), { right: mean(margin.gt(0).cast("f32")) }] as const;
      })(learned.weights);
      const metrics = { "loss/preference": value, "preference/right": aux.right };
      return { state: optimiserStep(learned, gradient, pace).learned, metrics };
    },
    acting: (learned) => learned.weights,
  };
}

it("preferences between pairs: a policy trained on pairs of answers", async () => {
  const spec = { id: "Quadrants-v0", observation: box([2], -1, 1), action: discrete(4) };
  const policy = actorCritic(spec, { hidden: [16], critic: false });
  const run = await expectResumes(() =>
    runOf((context) => {
      const parts = { name: "direct", learner: direct(policy, 0.5), experience: dataset(comparisons()) };
      return offline({ ...parts, batch: 32, updates: 5, policy }, context);
    }),
  );
  for (let i = 0; i < 30; i++) await run.round();
  expect(run.metrics["preference/right"]).toBeGreaterThan(0.9);
  const { weights } = actingOf(run.process);
  const corners = [-0.7, 0.7].flatMap((x) => [-0.7, 0.7].map((y) => [x, y]));
  const { action } = requireActingPolicy(policy, "test").act(weights, { observation: tensor(corners) }, {});
  expect(Array.from((action as Tensor).data)).toEqual([0, 1, 2, 3]);
});
