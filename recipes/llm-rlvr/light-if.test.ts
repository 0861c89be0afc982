import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { coefficients, entropyByCovariance } from "./light-if.parts.ts";

/** Two answers of two tokens and one of one: columns are answers, and the last cell is padding. */
const alive = tensor([
  [true, true, true],
  [true, true, false],
]);
const advantage = tensor([
  [1, -1, 0],
  [1, -1, 9],
]);
const logProb = tensor([
  [-1, -1, -2],
  [-3, -3, 9],
]);
const given = { advantage, logProb, alive };

it("is a softmax of the covariance over the tokens of an answer", () => {
  const found = coefficients(given, { alpha: 0.2, most: 1, adaptive: true }).data;
  // Means over the five tokens: 0 and −2, so the covariances are 1, −1, 0 and −1, 1.
  const high = 0.2 / (1 + Math.exp(-2));
  const expected = [high, 0.2 - high, 0.2, 0.2 - high, high, 0];
  expected.forEach((x, i) => expect(found[i]).toBeCloseTo(x, 6));
});

it("holds coefficients at the largest one, and divides equally without covariances", () => {
  const largest = coefficients(given, { alpha: 0.2, most: 0.1, adaptive: true }).data;
  expect([largest[0], largest[2], largest[4]].map((x) => x.toFixed(6))).toEqual([
    "0.100000",
    "0.100000",
    "0.100000",
  ]);
  const equal = coefficients(given, { alpha: 0.2, most: 1, adaptive: false }).data;
  [0.1, 0.1, 0.2, 0.1, 0.1, 0].forEach((x, i) => expect(equal[i]).toBeCloseTo(x, 6));
});

it("subtracts the weighted entropy from the loss", () => {
  const entropy = tensor([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const term = entropyByCovariance({ alpha: 0.2, most: 1, adaptive: false });
  const key = tensor(Uint32Array.of(0, 0), { dtype: "u32" });
  const value = term.value({
    scored: { logProb, entropy },
    columns: { advantage, alive },
    key,
    report: () => {},
  });
  [-0.1, -0.2, -0.6, -0.4, -0.5, 0].forEach((x, i) => expect(value.data[i]).toBeCloseTo(x, 6));
});
