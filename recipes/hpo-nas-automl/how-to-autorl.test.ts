import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as autorl from "./how-to-autorl.parts.ts";

const none = new Array<boolean>(25).fill(false);

it("values the greedy policy of a table exactly", () => {
  // Right along the first row, then down: without slipping into holes the goal is at least eight moves away.
  const best = autorl.returnOf(none);
  expect(best).toBeLessThan(0.97 ** 7);
  expect(best).toBeGreaterThan(0.97 ** 12);
  const table = new Float64Array(100);
  for (let cell = 0; cell < 25; cell++) table[4 * cell + (cell % 5 < 4 ? 1 : 2)] = 1;
  const value = autorl.returnOf(none, table);
  expect(value).toBeLessThanOrEqual(best);
  expect(value).toBeGreaterThan(0.5 * best);
  // Always up: the goal is never reached.
  expect(autorl.returnOf(none, new Float64Array(100).fill(0))).toBe(0);
});

it("learns a lake with good hyperparameters and not with bad ones", () => {
  const lake = autorl.randomLake(defaultRng(4));
  const mean = (point: number[]) => {
    let sum = 0;
    for (let seed = 0; seed < 10; seed++)
      sum += autorl.train(lake, Float64Array.from(point), autorl.full, defaultRng(seed));
    return sum / 10;
  };
  expect(mean([0.5, 0.3, 0.5, 0.7, 0.5])).toBeGreaterThan(mean([0, 1, 1, 0, 0]) + 0.3);
});

it("finds the top of a bowl by differential evolution sooner than at random", () => {
  const top = Float64Array.of(0.2, 0.9, 0.4, 0.7, 0.1);
  const bowl: autorl.Score = (x) => -x.reduce((sum, v, i) => sum + (v - top[i]) ** 2, 0);
  const best = (search: Iterable<autorl.Tried>, count: number) => {
    let most = Number.NEGATIVE_INFINITY;
    for (const { score } of search) {
      most = Math.max(most, score);
      if (--count === 0) return most;
    }
    return most;
  };
  const [a, b] = [defaultRng(1), defaultRng(1)];
  // A bracket of DEHB has thirteen scores, one of which is yielded.
  expect(best(autorl.dehb(bowl, 0.5, 0.5, a), 40)).toBeGreaterThan(
    best(autorl.randomSearch(bowl, 1, b), 13 * 40) + 0.005,
  );
});

it("tries every point of a grid", () => {
  const seen = new Set<string>();
  let count = 0;
  for (const { point } of autorl.gridSearch(() => 0, 3, 2, defaultRng(1))) {
    seen.add(point.join());
    if (++count === 9) break;
  }
  expect(seen.size).toBe(9);
  expect([...seen].every((p) => p.endsWith("0.5,0.5,0.5"))).toBe(true);
});
