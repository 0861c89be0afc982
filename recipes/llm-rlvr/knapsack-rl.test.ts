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

it("gives solved problems two samples, and all the same before the first visit", () => {
  expect(
    knapsack(
      [
        { solved: 8, samples: 8 },
        { solved: 2, samples: 8 },
      ],
      16,
    ),
  ).toEqual([2, 14]);
  expect(
    knapsack(
      [
        { solved: 0, samples: 0 },
        { solved: 2, samples: 8 },
      ],
      16,
    ),
  ).toEqual([8, 8]);
});
