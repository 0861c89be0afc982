import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { keepTokens, mostVaried, shares } from "./d3s.parts.ts";

it("chooses the subset with the largest variance of all subsets", () => {
  expect(mostVaried([0, -0.5, 0, 1.5, -0.5, 0], 3)).toEqual([1, 3, 4]);
  expect(mostVaried([0, 0, 1, -3], 2)).toEqual([2, 3]);
  const values = [0.3, -1.2, 0.9, 0, -0.4, 2.1];
  const variance = (own: readonly number[]) => {
    const mean = own.reduce((sum, i) => sum + values[i], 0) / own.length;
    return own.reduce((sum, i) => sum + (values[i] - mean) ** 2, 0);
  };
  const subsets = Array.from({ length: 64 }, (_, mask) => [...values.keys()].filter((i) => (mask >> i) & 1));
  const best = Math.max(...subsets.filter((s) => s.length === 4).map(variance));
  expect(variance(mostVaried(values, 4))).toBeCloseTo(best, 12);
  expect(mostVaried(values, 6)).toEqual([0, 1, 2, 3, 4, 5]);
});

it("keeps the tokens with the largest keys, and the mean over all tokens is that over these", () => {
  const alive = tensor([
    [true, true],
    [true, false],
    [true, true],
  ]);
  const key = tensor([
    [0.1, 0.5],
    [0.4, 9],
    [0.2, 0.3],
  ]);
  const advantage = tensor([
    [1, 2],
    [-3, 7],
    [4, 5],
  ]);
  // Two fifths of five tokens: the keys 0.5 and 0.4, each with the weight 5/2.
  const kept = keepTokens(key, alive, tensor(0.4), advantage);
  expect([...kept.data]).toEqual([0, 5, -7.5, 0, 0, 0]);
  expect([...keepTokens(key, alive, tensor(1), advantage).data]).toEqual([1, 2, -3, 0, 4, 5]);
});

it("relaxes both shares linearly", () => {
  const expected = [0.5, 0.2, 0.75, 0.6, 1, 1];
  const found = [0, 0.5, 2].flatMap((progress) => Object.values(shares(progress)));
  expected.forEach((x, i) => expect(found[i]).toBeCloseTo(x, 12));
});
