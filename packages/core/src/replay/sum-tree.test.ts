import { describe, expect, it } from "vitest";
import { defaultRng } from "../numpy/index.ts";
import { SumTree } from "./sum-tree.ts";

describe("SumTree", () => {
  it("finds the entry whose range contains a mass", () => {
    const tree = new SumTree(3);
    [2, 0, 3].forEach((v, i) => tree.set(i, v));
    expect(tree.total).toBe(5);
    expect([0, 1.99, 2, 4.99].map((m) => tree.find(m))).toEqual([0, 0, 2, 2]);
  });

  it("agrees with recomputed sums after writes in any order", () => {
    const rng = defaultRng(3);
    for (const capacity of [1, 2, 7, 64, 100]) {
      const tree = new SumTree(capacity);
      const values = new Float64Array(capacity);
      for (let k = 0; k < 500; k++) {
        const i = rng.integers(0, capacity);
        values[i] = rng.random() < 0.2 ? 0 : rng.random() * 10 ** rng.integers(-3, 4);
        tree.set(i, values[i]);
        const total = values.reduce((a, b) => a + b, 0);
        expect(tree.total).toBeCloseTo(total, 8);
        if (total === 0) continue;
        const mass = rng.random() * total;
        const found = tree.find(mass);
        let before = 0;
        for (let j = 0; j < found; j++) before += values[j];
        expect(values[found]).toBeGreaterThan(0);
        // Up to rounding at the borders.
        expect(mass).toBeGreaterThan(before - 1e-9 * total);
        expect(mass).toBeLessThan(before + values[found] + 1e-9 * total);
      }
      const copy = new SumTree(capacity);
      copy.values(capacity).set(values);
      copy.rebuild();
      expect(copy.nodes).toEqual(tree.nodes);
    }
  });

  it("never finds an entry without weight", () => {
    const tree = new SumTree(8);
    tree.set(2, 1e-12);
    tree.set(5, 0.1);
    for (const m of [0, 0.05, 0.1, 0.2, tree.total]) expect([2, 5]).toContain(tree.find(m));
  });
});
