import { describe, expect, it } from "vitest";
import { listMixture } from "./list-mixture.ts";
import { nextOf } from "./testing.ts";

const take = (task: ReturnType<typeof listMixture>, batches: number) =>
  Array.from({ length: batches }, () => nextOf(task).map((item) => item.seed!)).flat();

describe("listMixture", () => {
  it("uses each list in epochs of its own, by exact shares", () => {
    const task = listMixture({
      seed: 1,
      parts: [
        { count: 4, weight: 3 },
        { count: 100, weight: 1 },
      ],
      groups: 8,
    });
    const seeds = take(task, 50);
    const [small, large] = [seeds.filter((s) => s < 4), seeds.filter((s) => s >= 4)];
    expect([small.length, large.length]).toEqual([300, 100]);
    // The large list has been used once, the small one 75 times, each time as a whole.
    expect([...large].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 4));
    for (let at = 0; at < small.length; at += 4) expect(small.slice(at, at + 4).sort()).toEqual([0, 1, 2, 3]);
    // At no time is a list more than one problem away from its share.
    seeds.forEach((_, i) => {
      const drawn = seeds.slice(0, i + 1).filter((s) => s < 4).length;
      expect(Math.abs(drawn - (3 / 4) * (i + 1))).toBeLessThanOrEqual(1);
    });
  });

  it("without weights ends all lists together, in an order that depends on the seed", () => {
    const made = (seed: number) =>
      listMixture({ seed, parts: [{ count: 5 }, { count: 7 }], groups: 4, epochs: 2 });
    const task = made(3);
    const seeds: number[] = [];
    while (!task.exhausted!()) seeds.push(...take(task, 1));
    expect(seeds.length).toBe(24);
    expect([...seeds].sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, i) => i >> 1));
    expect(take(made(3), 6)).toEqual(seeds);
    expect(take(made(4), 6)).not.toEqual(seeds);
    expect(seeds.slice(0, 12)).not.toEqual(seeds.slice(12));
  });

  it("continues exactly from its saved state, also in another epoch", () => {
    const made = () => listMixture({ seed: 5, parts: [{ count: 6 }, { count: 3, weight: 1 }], groups: 5 });
    const task = made();
    take(task, 7);
    const saved = task.save!();
    const expected = take(task, 9);
    const resumed = made();
    take(resumed, 2);
    resumed.restore!(saved);
    expect(take(resumed, 9)).toEqual(expected);
  });

  it("refuses empty lists and weights that are not usable", () => {
    expect(() => listMixture({ seed: 0, parts: [{ count: 0 }], groups: 1 })).toThrow("list 1 is empty");
    expect(() => listMixture({ seed: 0, parts: [{ count: 1, weight: -1 }], groups: 1 })).toThrow(
      "the weight of list 1 is -1",
    );
    expect(() => listMixture({ seed: 0, parts: [{ count: 1, weight: 0 }], groups: 1 })).toThrow(
      "all weights are 0. Give at least one list a weight above 0.",
    );
  });
});
