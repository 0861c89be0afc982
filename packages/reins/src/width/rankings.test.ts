import type { Batch, Learner, TrainState } from "@reins/core";
import { initTrainState, offline, optimiserStep } from "@reins/core/loops";
import { defaultRng } from "@reins/core/random";
import { dataset } from "@reins/core/replay";
import { adam, type MlpParams, mlp } from "@reins/nn";
import {
  and,
  expandDims,
  ge,
  iota,
  logSumExp,
  mean,
  reshape,
  setBackend,
  sub,
  sum,
  type Tensor,
  tensor,
  valueAndGradient,
  where,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

setBackend("wasm");

const pace = { optimiser: adam(), learningRate: 0.02 };

/** Lists of two to five items, best first; the value of an item is 2·a − b. */
function rankings(): Batch {
  const rng = defaultRng(2);
  const things = Array.from({ length: 200 }, () => [rng.random(), rng.random()]);
  const worth = (i: number) => 2 * things[i][0] - things[i][1];
  const members = Array.from({ length: 100 }, () =>
    Array.from({ length: rng.integers(2, 6) }, () => rng.integers(0, 200)).sort(
      (i, j) => worth(j) - worth(i),
    ),
  );
  return { columns: { thing: tensor(things) }, index: { kind: "lists", members } };
}

const judge = mlp({ inputs: 2, hidden: [8], outputs: 1 });

/** A Plackett-Luce reward model: the first is chosen among all, the second among the rest, and so on. */
const ranking: Learner<TrainState<MlpParams>> = {
  reads: ["thing", "present"],
  init: (key) => initTrainState(judge.init(key), pace.optimiser),
  update(learned, { thing, present }) {
    const there = present as Tensor;
    const [count, length] = there.shape;
    const left = and(ge(iota([length]), expandDims(iota([length]), 1)), expandDims(there, 1));
    const { value, gradient } = valueAndGradient((w: MlpParams) => {
      const score = reshape(judge.apply(w, thing as Tensor), [count, length]);
      const among = logSumExp(where(left, expandDims(score, 1), -1e9), -1);
      return mean(sum(where(there, sub(among, score), 0), -1));
    })(learned.weights);
    return { state: optimiserStep(learned, gradient, pace).learned, metrics: { "loss/ranking": value } };
  },
  acting: (learned) => learned.weights,
};

it("rankings of different length: a reward model that recovers the order", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const experience = dataset(rankings());
      return offline({ name: "ranking", learner: ranking, experience, batch: 32, updates: 5 }, context);
    }),
  );
  const first = run.metrics["loss/ranking"];
  for (let i = 0; i < 30; i++) await run.round();
  expect(run.metrics["loss/ranking"]).toBeLessThan(first / 2);
});
