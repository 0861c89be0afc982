import { expect, test } from "vitest";
import { medianInterval, summary } from "./stats.ts";

test("median and quartiles are interpolated", () => {
  expect(summary([3, 1, 2, 5, 4])).toEqual({ median: 3, low: 2, high: 4 });
  expect(summary([1, 2])).toEqual({ median: 1.5, low: 1.25, high: 1.75 });
  expect(summary([7])).toEqual({ median: 7, low: 7, high: 7 });
});

test("the interval of a median follows the binomial distribution", () => {
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => n - i);
  // Of seven samples, all are above or all below the median with probability 1/64.
  expect(medianInterval(upTo(7))).toEqual({ median: 4, low: 1, high: 7 });
  expect(medianInterval(upTo(9))).toEqual({ median: 5, low: 2, high: 8 });
  expect(medianInterval(upTo(21))).toEqual({ median: 11, low: 6, high: 16 });
});
