import { expect, it } from "vitest";
import { accuracies, policyGradient, refit, skilled, solved } from "./rl-star.parts.ts";

it("gives the correct step its advantage over chance", () => {
  const model = skilled(3, 4, 0.2);
  expect(model[0][1][1]).toBeCloseTo((1 + 3 * 0.2) / 4, 12);
  expect(model[2][1][0]).toBeCloseTo((1 - 0.2) / 4, 12);
  // The authors' formula: α³ + 3 (M − 1) α β² + (M − 1)(M − 2) β³ with α = 0.4 and β = 0.2.
  expect(accuracies(model).accuracy).toBeCloseTo(0.064 + 9 * 0.4 * 0.04 + 6 * 0.008, 12);
  expect(accuracies(model).steps).toBeCloseTo(0.064, 12);
});

it("fits the chains that are kept, though their steps may be wrong", () => {
  const chains = [
    [0, 1, 0],
    [0, 1, 1],
    [1, 1, 1],
    [1, 0, 1],
  ];
  const model = refit(skilled(2, 2, 0.5), chains.filter(solved));
  expect([...model[0][0]]).toEqual([0, 1]);
  expect([...model[0][1]]).toEqual([0.5, 0.5]);
  expect([...model[1][1]]).toEqual([0.5, 0.5]);
  expect([...model[1][0]]).toEqual([0, 1]);
  expect(refit(model, [])).toEqual(model);
});

it("follows the gradient of correct answers", () => {
  const chains = [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 1],
  ];
  const [[first, second]] = policyGradient(skilled(1, 2, 0), chains, 2, 2);
  // Advantages 1 and −1, of two samples: the logits change by ± 2 · (0.25 + 0.25) · 2 / 2.
  expect(first[0] / first[1]).toBeCloseTo(Math.exp(2), 12);
  // All samples of question 1 are correct: no advantage.
  expect([...second]).toEqual([0.5, 0.5]);
});
