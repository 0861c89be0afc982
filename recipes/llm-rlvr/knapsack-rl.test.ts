import { expect, it } from "vitest";
import { gain, knapsack } from "./knapsack-rl.ts";

it("the value of a group is the sum of the gains of its samples", () => {
  const value = (p: number, n: number) => (1 - p ** n - (1 - p) ** n) * p * (1 - p) ** 2;
  for (const p of [0.1, 0.5, 0.9]) {
    const sum = [2, 3, 4, 5].reduce((all, n) => all + gain(p, n), 0);
    expect(sum).toBeCloseTo(value(p, 5), 12);
  }
});

it("finds the sizes that all combinations confirm", () => {
  const rates = [0.1, 0.5, 0.75];
  const value = (sizes: readonly number[]) =>
    sizes.reduce((sum, n, i) => {
      const p = rates[i];
      return sum + (1 - p ** n - (1 - p) ** n) * p * (1 - p) ** 2;
    }, 0);
  const found = knapsack(
    rates.map((p) => ({ solved: 20 * p, samples: 20 })),
    24,
  );
  let best = [0, 0, 0];
  for (let a = 2; a <= 20; a++)
    for (let b = 2; a + b <= 22; b++) if (value([a, b, 24 - a - b]) > value(best)) best = [a, b, 24 - a - b];
  expect(found).toEqual(best);
  expect(found[0]).toBeGreaterThan(found[1]);
});

const of = (solved: number, samples = 8) => ({ solved, samples });

it("gives new problems their share, solved ones two samples and the rest to those with both outcomes", () => {
  // log 0.1 / log 0.75 = 8.004: eight further samples are enough for a solve rate of 1/4.
  expect(knapsack([of(8), of(2)], 12)).toEqual([2, 10]);
  // New problems count as never solved, as in the authors' program: 24 − 12 − 8 = 4 more samples.
  expect(knapsack([of(0, 0), of(2), of(8)], 24)).toEqual([12, 10, 2]);
});

it("gives what is not needed to problems that were never solved, else to those that were always solved", () => {
  // 24 − 6 = 18 samples are free, of which the second problem needs eight.
  expect(knapsack([of(8), of(2), of(0)], 24)).toEqual([2, 10, 12]);
  expect(knapsack([of(8), of(2), of(8)], 24)).toEqual([7, 10, 7]);
  expect(knapsack([of(0), of(8), of(0)], 24)).toEqual([11, 2, 11]);
  expect(knapsack([of(4), of(4)], 40)).toEqual([20, 20]);
});
