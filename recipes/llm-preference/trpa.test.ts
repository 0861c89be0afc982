import type { JudgedEpisode } from "@reins/core";
import { characters, textEpisode } from "@reins/language";
import { mean, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { sumsTask } from "../testbeds/sums.ts";
import { levelOf, preferenceLoss } from "./trpa.parts.ts";

const tokenizer = characters(sumsTask.alphabet);
const problem = { prompt: "312=", answer: "cdf", level: 1, data: { last: "f", terms: 3 } };
const sample = (text: string, reward: number): JudgedEpisode => ({
  episode: textEpisode([{ by: "policy", tokens: [...tokenizer.encode(text), tokenizer.end] }], {
    group: "a",
    truncated: false,
    answered: { problem, text, ended: "end" },
  }),
  verdict: { reward },
  reward,
});

it("sorts right, wrong and incomplete answers", () => {
  expect([sample("cdf", 1), sample("cde", 0), sample("cd", 0)].map(levelOf)).toEqual([1, 2, 3]);
});

/** The mean loss over answers of one problem with levels 1, 2 and 3, and one of another problem; the last row is padding. */
function lossOf(saturates: boolean, trust = 0): number {
  const row = (values: readonly number[]) =>
    tensor(Float32Array.from([...values, ...values])).reshape([2, 5]);
  const alive = tensor(Uint8Array.of(1, 1, 1, 1, 0, 1, 0, 1, 0, 0), { dtype: "bool" }).reshape([2, 5]);
  const logProb = row([-1, -2, -3, -4, 9]);
  const columns = {
    alive,
    logProb: row([-1, -2, -3, -4.5, 9]),
    group: row([1, 1, 1, 2, 0]),
    level: row([1, 2, 3, 1, 0]),
  };
  const scored = {
    logProb,
    entropy: row([0, 0, 0, 0, 0]),
    extra: { reference: row([-1.4, -2.1, -2.7, -4, 9]) },
  };
  const key = tensor(Uint32Array.of(0, 0), { dtype: "u32" });
  const options = { beta: 0.1, anisotropy: 2.5, trust, saturates };
  const value = preferenceLoss(options).value({ scored, columns, key, report: () => {} });
  // The learner's mean is over the six tokens of the answers.
  return (mean(value).data[0] * 10) / 6;
}
// Log ratios 0.4, 0.1 and −0.3: the first with 2.5 β, the last pair with β.
const h = [0.25 * 0.3, 0.25 * 0.7, 0.1 * 0.4];

it("is −log σ of every pair of a group", () => {
  const expected = h.reduce((sum, x) => sum + Math.log(1 + Math.exp(-x)), 0) / 3;
  expect(lossOf(true)).toBeCloseTo(expected, 5);
});

it("without saturation is linear in the log ratios", () => {
  expect(lossOf(false)).toBeCloseTo(-(h[0] + h[1] + h[2]) / 6, 5);
});

it("adds the divergence from the policy that sampled", () => {
  // One of four answers has moved by 0.5.
  expect(lossOf(true, 1) - lossOf(true)).toBeCloseTo((Math.exp(-0.5) - 1 + 0.5) / 4, 5);
});
