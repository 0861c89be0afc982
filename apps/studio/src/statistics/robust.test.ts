import { expect, it } from "vitest";
import { bootstrap, interquartileMean, profile } from "./robust.ts";

it("the interquartile mean averages the middle half", () => {
  expect(interquartileMean([[1, 2, 3, 100]])).toBe(2.5);
  expect(
    interquartileMean([
      [1, 2],
      [3, 100],
    ]),
  ).toBe(2.5);
  // Six scores: the middle three, half of the second and of the fifth among them.
  expect(interquartileMean([[0, 1, 2, 3, 4, 50]])).toBeCloseTo((0.5 * 1 + 2 + 3 + 0.5 * 4) / 3, 12);
  expect(interquartileMean([[7]])).toBe(7);
});

it("profiles are shares of scores above a level", () => {
  expect(
    profile(
      [
        [1, 2],
        [3, 4],
      ],
      [0, 1, 2.5, 4],
    ),
  ).toEqual([1, 0.75, 0.5, 0]);
});

it("intervals are deterministic, contain the statistic and narrow with more runs", () => {
  const few = [[1, 2, 3, 4, 5].map((x) => x + 0.1)];
  const many = [Array.from({ length: 100 }, (_, i) => 1 + (i % 5) + 0.1)];
  const [low, high] = bootstrap(few, interquartileMean);
  expect(bootstrap(few, interquartileMean)).toEqual([low, high]);
  expect(low).toBeLessThanOrEqual(interquartileMean(few));
  expect(high).toBeGreaterThanOrEqual(interquartileMean(few));
  const [a, b] = bootstrap(many, interquartileMean);
  expect(b - a).toBeLessThan(high - low);
});

it("seeds are resampled within tasks", () => {
  // Scores within a task are equal, so resampling does not change them.
  expect(
    bootstrap(
      [
        [1, 1, 1],
        [9, 9, 9],
      ],
      interquartileMean,
    ),
  ).toEqual([5, 5]);
});
