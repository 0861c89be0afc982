import type { Episode, Metrics, Run } from "@reins/core";
import { dataset } from "@reins/language";
import { argmax, logSoftmax, pick, type Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { grpo } from "../grpo.ts";
import { ppo } from "../ppo.ts";
import { reinforce } from "../reinforce.ts";
import { rejection } from "../rejection.ts";
import { sft } from "../sft.ts";
import { model, placeOf, rounds, runOf, stageOf, weightsOf } from "./testing.ts";

const imitation = { batch: 8, learningRate: 3e-2, validation: 20, validateEvery: 3 };
const validationOf = (metrics: Metrics) =>
  Object.fromEntries(Object.entries(metrics).filter(([name]) => name.startsWith("validation/")));

/** Loss, accuracy and entropy of the teacher's tokens, one example at a time. */
function measuredByHand(weights: typeof model.params, episodes: readonly Episode[]) {
  const totals = { loss: 0, accuracy: 0, entropy: 0, tokens: 0 };
  for (const { columns } of episodes) {
    const { observation, action, by } = columns as { [name: string]: Tensor };
    const { size } = action;
    const hidden = model.model.hidden(weights, observation.reshape([1, size]));
    const p = logSoftmax(model.model.logits(weights, hidden)).reshape([size, -1]);
    const [logProb, best] = [pick(p, action), argmax(p, -1)];
    for (let t = 0; t < size; t++) {
      if (by.data[t] !== 2) continue;
      const row = p.data.subarray(t * p.shape[1], (t + 1) * p.shape[1]);
      totals.loss -= logProb.data[t];
      totals.accuracy += best.data[t] === action.data[t] ? 1 : 0;
      for (const x of row) totals.entropy -= Math.exp(x) * x;
      totals.tokens++;
    }
  }
  const { loss, accuracy, entropy, tokens } = totals;
  return [loss / tokens, accuracy / tokens, entropy / tokens];
}

it("imitation is validated on held-out examples without affecting training", async () => {
  const runs = await Promise.all(
    [imitation, { ...imitation, validation: 0 }].map((o) => rounds(runOf(sft(o)), 4)),
  );
  const [run, without] = runs;
  expect(weightsOf(run)).toEqual(weightsOf(without));
  expect(validationOf(without.metrics)).toEqual({});
  const held = (await stageOf().validation!.episodes(20, 7)) as readonly Episode[];
  expect(held).toHaveLength(20);
  const found = validationOf(run.metrics);
  expect(found["validation/examples"]).toBe(20);
  for (const name of ["loss", "accuracy", "entropy"]) expect(found[`validation/${name}`]).toBeGreaterThan(0);
  // It generalises beyond the training examples.
  const first = (await rounds(runOf(sft(imitation)), 1)).metrics;
  expect(found["validation/loss"]).toBeLessThan(first["validation/loss"]);
  await rounds(run, 1);
  expect(validationOf(run.metrics)).toEqual(found);
});

it("validation equals one example at a time", async () => {
  const stage = stageOf();
  const seen: Episode[] = [];
  const validation = {
    ...stage.validation!,
    episodes: (count: number, seed: number) => {
      seen.push(...(stage.validation!.episodes(count, seed) as readonly Episode[]));
      return seen;
    },
  };
  const run = runOf(sft(imitation), { env: placeOf({ ...stage, validation }) });
  await rounds(run, 1);
  const { weights } = run.process.acting!;
  const [loss, accuracy, entropy] = measuredByHand(weights as typeof model.params, seen);
  expect(run.metrics["validation/loss"]).toBeCloseTo(loss, 5);
  expect(run.metrics["validation/accuracy"]).toBeCloseTo(accuracy, 6);
  expect(run.metrics["validation/entropy"]).toBeCloseTo(entropy, 5);
  const trained = new Set(run.process.inspect!().episodes!.map((j) => j.episode.problem));
  expect(seen.filter((e) => trained.has(e.problem))).toEqual([]);
});

it("a resumed run validates on the same examples", async () => {
  const make = () => runOf(sft(imitation));
  const whole = await rounds(make(), 6);
  const half = await rounds(make(), 2);
  const resumed = make();
  resumed.restore(half.save());
  await rounds(resumed, 4);
  expect({ ...resumed.metrics }).toEqual({ ...whole.metrics });
});

it("rows have the epoch, the learning rate, and prompt and completion lengths", async () => {
  const answers = ["a", "ab", "abc", "a", "a", "a", "a", "a", "a", "abca"];
  const lines = answers.map((answer, i) => ({
    prompt: i === 0 ? "abc:" : "a:",
    answer,
    split: "train" as const,
  }));
  const task = dataset([...lines, { prompt: "b:", answer: "b", split: "test" as const }]);
  const run = runOf(sft({ batch: 5, learningRate: 1e-3 }), { env: placeOf(stageOf({ task })) });
  await rounds(run, 3);
  expect(run.row).toMatchObject({ epoch: 1.5, "setting/learningRate": 1e-3, "validation/examples": 1 });
  const all = runOf(sft({ batch: 10, learningRate: 1e-3 }), { env: placeOf(stageOf({ task })) });
  await rounds(all, 1);
  // Completions end with an end token.
  expect(all.row).toMatchObject({
    ...{ "length/prompt-p50": 2, "length/prompt-p95": 4, "length/prompt-max": 4 },
    ...{ "length/completion-p50": 2, "length/completion-p95": 5, "length/completion-max": 5 },
  });
});

it("a file without a held-out split is not validated", async () => {
  const task = dataset([{ prompt: "a:", answer: "a" }], { test: 0 });
  const run = await rounds(runOf(sft({ batch: 1 }), { env: placeOf(stageOf({ task })) }), 1);
  expect(validationOf(run.metrics)).toEqual({});
});

it.each([
  ["ppo", (klEvery: number) => ppo({ envs: 16, epochs: 1, minibatches: 1, learningRate: 3e-2, klEvery })],
  ["reinforce", (klEvery: number) => reinforce({ episodes: 16, learningRate: 3e-2, klEvery })],
  ["rejection", (klEvery: number) => rejection({ groups: 4, groupSize: 4, learningRate: 3e-2, klEvery })],
])("%s measures the KL divergence from its first weights, which changes nothing", async (_, algorithm) => {
  const [measured, without] = await Promise.all([1, 0].map((every) => rounds(runOf(algorithm(every)), 3)));
  expect(weightsOf(measured)).toEqual(weightsOf(without));
  expect(without.metrics["policy/reference-kl"]).toBeUndefined();
  expect(measured.metrics["policy/reference-kl"]).toBeGreaterThan(1e-4);
  const resumed = runOf(algorithm(1));
  resumed.restore(measured.save());
  await Promise.all([rounds(measured, 1), rounds(resumed, 1)]);
  expect({ ...resumed.metrics }).toEqual({ ...measured.metrics });
});

it("the divergence from the first weights is measured without a weight, and changes nothing", async () => {
  const small = { groups: 4, groupSize: 4, epochs: 1, learningRate: 3e-2 };
  const divergenceOf = ({ metrics }: Run) => metrics["policy/reference-kl"];
  const [measured, without, tied] = await Promise.all(
    [{ klEvery: 2 }, { klEvery: 0 }, { klWeight: 1e-30 }].map((o) =>
      rounds(runOf(grpo({ ...small, ...o })), 3),
    ),
  );
  expect(weightsOf(measured)).toEqual(weightsOf(without));
  expect(divergenceOf(without)).toBeUndefined();
  // The loss measures it on the same batch, before the update.
  expect(divergenceOf(measured)).toBeGreaterThan(1e-4);
  expect(divergenceOf(measured)).toBeCloseTo(divergenceOf(tied), 5);
  const later = divergenceOf(measured);
  const saved = measured.save();
  await rounds(measured, 1);
  expect(divergenceOf(measured)).toBe(later);
  const resumed = runOf(grpo({ ...small, klEvery: 2 }));
  resumed.restore(saved);
  await rounds(resumed, 1);
  expect({ ...resumed.metrics }).toEqual({ ...measured.metrics });
});

it("groups of one completion are refused, unless the baseline does not need a group", async () => {
  await expect(rounds(runOf(grpo({ groups: 4, groupSize: 1 })), 1)).rejects.toThrow(
    "grpo: groupSize is 1, so each completion is its own baseline and every advantage is 0.",
  );
  const run = await rounds(runOf(grpo({ groups: 4, groupSize: 1, baseline: "none" })), 1);
  expect(run.metrics["gradient/norm"]).toBeGreaterThanOrEqual(0);
});
