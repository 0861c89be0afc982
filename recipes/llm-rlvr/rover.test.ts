import type { LossInput } from "@reins/core";
import { characters, newModel, textStage } from "@reins/language";
import { exp, random, type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { expect, it } from "vitest";
import { sumsTask } from "../testbeds/sums.ts";
import { nextValue, valuationLoss, withUniform } from "./rover.parts.ts";

/** Two answers of three and two steps, as columns. */
const alive = tensor([
  [true, true],
  [true, true],
  [true, false],
]);
const uniform = tensor([
  [-5, -5],
  [-4, -6],
  [-3, 9],
]);
const before = tensor([
  [-5, -5],
  [-4.5, -5],
  [-5, 9],
]);

it("values the next step by the rise of the mean log-probability, and the end by 0", () => {
  expect([...nextValue(uniform, before, alive).data]).toEqual([0.5, -1, 2, 0, 0, 0]);
});

const input = (logProb: Tensor): LossInput => ({
  scored: { logProb, entropy: uniform, extra: { uniform } },
  columns: {
    alive,
    uniform: before,
    logProb: tensor([
      [-1, -1],
      [-1, -1],
      [-1, -1],
    ]),
    advantage: tensor([
      [1, -1],
      [1, -1],
      [1, -1],
    ]),
  },
  key: random.key(0),
  report: () => {},
});
const now = tensor([
  [-0.5, -1],
  [-1, -3],
  [-1, -1],
]);

it("is the squared difference of the rise of a token and its target", () => {
  // Rises 0.5 and 0, 0 and −2, 0: targets 1.5 and −2, 3 and −1, 1.
  const expected = [1, 4, 9, 1, 1];
  const found = valuationLoss(true).value(input(now)).data;
  expected.forEach((x, i) => expect(found[i]).toBeCloseTo(x, 5));
  const alone = valuationLoss(false).value(input(now)).data;
  [0.25, 1, 1, 1, 1].forEach((x, i) => expect(alone[i]).toBeCloseTo(x, 5));
});

it("has the gradient −2 (target − rise) in the log-probability", () => {
  const loss = (x: Tensor) => valuationLoss(true).value(input(x)).sum();
  const { gradient } = valueAndGradient(loss)(now);
  [-2, 4, -6, -2, -2].forEach((x, i) => expect(gradient.data[i]).toBeCloseTo(x, 5));
});

it("adds the mean log-probability over all tokens to the scores of a language model", () => {
  const tokenizer = characters(sumsTask.alphabet);
  const start = newModel(
    { layers: 1, width: 8, heads: 2, context: 24, vocabulary: tokenizer.size, style: "llama" },
    random.key(1),
  );
  const options = { task: sumsTask, level: 1, start, tokenizer };
  const policy = withUniform(textStage(options).policy, options);
  const observation = tensor(Int32Array.of(1, 2, 3, 4), { dtype: "i32" }).reshape([2, 2]);
  let [sum, logs] = [0, 0];
  // The scores of every token as the action.
  for (let token = 0; token < tokenizer.size; token++) {
    const action = tensor(Int32Array.of(token, token, token, token), { dtype: "i32" }).reshape([2, 2]);
    const scored = policy.score(start.params as never, { view: { observation }, action });
    sum += exp(scored.logProb).data[3];
    logs += scored.logProb.data[3] / tokenizer.size;
    if (token === tokenizer.size - 1) expect(scored.extra?.uniform.data[3]).toBeCloseTo(logs, 4);
  }
  expect(sum).toBeCloseTo(1, 4);
});
