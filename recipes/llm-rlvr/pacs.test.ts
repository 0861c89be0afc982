import { mean, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { labelLoss } from "./pacs.ts";

/** The mean loss over three answers of two, one and two tokens; the first two are of one group, and the last row is padding. */
function lossOf(critic: boolean): number {
  const row = (values: readonly number[]) =>
    tensor(Float32Array.from([...values, ...values])).reshape([2, 4]);
  const alive = tensor(Uint8Array.of(1, 1, 1, 0, 1, 0, 1, 0), { dtype: "bool" }).reshape([2, 4]);
  const logProb = tensor(Float32Array.of(0.1, -0.1, 0.2, 9, 0.1, 9, 0.2, 9)).reshape([2, 4]);
  const columns = {
    alive,
    logProb: row([0, 0, 0, 0]),
    group: row([1, 1, 2, 0]),
    right: row([1, 0, 1, 0]),
    weight: row([1.5, 1, 1, 1]),
  };
  const scored = { logProb, entropy: row([0, 0, 0, 0]) };
  const key = tensor(Uint32Array.of(0, 0), { dtype: "u32" });
  const value = labelLoss(critic).value({ scored, columns, key, report: () => {} });
  // The learner's mean is over the five tokens of the answers.
  return (mean(value).data[0] * 8) / 5;
}
const bce = (score: number, right: number) => Math.log(1 + Math.exp(score)) - right * score;

it("is the cross-entropy of labels and scores relative to the others of the group", () => {
  // Ratios 0.2 and −0.1: scores 0.3 and −0.3. An answer alone in its group is compared with nothing.
  const expected = (1.5 * bce(0.3, 1) + bce(-0.3, 0) + bce(0.4, 1)) / 3;
  expect(lossOf(true)).toBeCloseTo(expected, 6);
});

it("without the critic is linear in the scores", () => {
  expect(lossOf(false)).toBeCloseTo((1.5 * -0.15 - 0.15 - 0.2) / 3, 6);
});
