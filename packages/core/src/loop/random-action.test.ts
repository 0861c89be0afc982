import { random, type Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { box } from "../space.ts";
import { randomAction } from "./random-action.ts";

it("respects the bounds of each dimension", () => {
  const ends = [
    [-1, 1],
    [-Infinity, Infinity],
    [2, Infinity],
    [-Infinity, -3],
  ];
  const [low, high] = [0, 1].map((k) => ends.map((e) => e[k]));
  const { data } = randomAction(box([4], low, high), 200, random.key(1)) as Tensor;
  ends.forEach(([least, most], i) => {
    const drawn = Array.from({ length: 200 }, (_, row) => data[4 * row + i]);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(most);
    expect(Math.max(...drawn) - Math.min(...drawn)).toBeGreaterThan(1.5);
  });
});
