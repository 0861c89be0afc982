import { type Tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { hindsight } from "./hindsight.ts";
import type { StepColumns } from "./record.ts";
import { replay } from "./replay.ts";
import { testGrid } from "./testing.ts";

const reward = (achieved: ArrayLike<number>, desired: ArrayLike<number>) =>
  achieved[0] === desired[0] ? 0 : -1;

/** A walk 0 → 1 → 2 → 3 towards 9, which it never reaches. */
function walk(options: Partial<Parameters<typeof hindsight>[0]>, resume = false, fell = false) {
  const goals = () => ({
    observation: zeros([1, 1, 1]),
    achieved: zeros([1, 1, 1]),
    desired: zeros([1, 1, 1]).set(9),
  });
  const grid = { ...testGrid(1), observation: goals(), next: goals() } as StepColumns & {
    observation: { [n: string]: Tensor };
    next: { [n: string]: Tensor };
  };
  const make = () =>
    replay({ capacity: 50, record: hindsight({ reward, gamma: 0.5, seed: 2, ...options }) })(grid, 4);
  let memory = make();
  for (let t = 0; t < 3; t++) {
    if (resume && t === 1) {
      const other = make();
      other.restore(memory.save());
      memory = other;
    }
    for (const n of ["observation", "achieved"]) {
      grid.observation[n].data[0] = t;
      grid.next[n].data[0] = t + 1;
    }
    grid.reward.data[0] = -1;
    (fell ? grid.terminated : grid.truncated).data[0] = t === 2 ? 1 : 0;
    memory.add({ columns: grid as never, index: { kind: "grid", time: 1, rows: 1 } });
  }
  const c = memory.columns as unknown as {
    observation: { [n: string]: Tensor };
    next: { [n: string]: Tensor };
    reward: Tensor;
    discount: Tensor;
  };
  return Array.from({ length: memory.size.data[0] }, (_, i) =>
    [
      c.observation.achieved,
      c.next.achieved,
      c.observation.desired,
      c.next.desired,
      c.reward,
      c.discount,
    ].map((t) => t.data[i]),
  );
}

describe("hindsight", () => {
  it("final: stores each step again with the episode's last state as its goal", () => {
    expect(walk({ strategy: "final" })).toEqual([
      [0, 1, 9, 9, -1, 0.5],
      [1, 2, 9, 9, -1, 0.5],
      [2, 3, 9, 9, -1, 0.5],
      [0, 1, 3, 3, -1, 0.5],
      [1, 2, 3, 3, -1, 0.5],
      [2, 3, 3, 3, 0, 0.5],
    ]);
  });

  it("a failure that ends the episode ends it for every goal", () => {
    for (const ends of [undefined, (a: ArrayLike<number>, d: ArrayLike<number>) => a[0] === d[0]])
      for (const resume of [false, true]) {
        const rows = walk({ strategy: "future", relabels: 2, ...(ends ? { ends } : {}) }, resume, true);
        // The last step: with its own goal, then relabelled twice.
        expect(rows.filter(([from]) => from === 2).map((row) => row[5])).toEqual([0, 0, 0]);
        for (const [from, to, goal, , , discount] of rows.slice(3))
          if (from < 2) expect(discount).toBe(ends && goal === to ? 0 : 0.5);
      }
  });

  it("future: goals are achieved by the same or later steps; reaching one may end the episode", () => {
    const rows = walk({ strategy: "future", relabels: 3, ends: (a, d) => a[0] === d[0] });
    expect(rows).toHaveLength(3 + 9);
    for (const [from, to, goal, next, earned, discount] of rows.slice(3)) {
      expect(to).toBe(from + 1);
      expect(goal).toBeGreaterThanOrEqual(to);
      expect(goal).toBeLessThanOrEqual(3);
      expect(next).toBe(goal);
      expect([earned, discount]).toEqual(goal === to ? [0, 0] : [-1, 0.5]);
    }
  });

  it("resumes exactly within an episode", () => {
    expect(walk({}, true)).toEqual(walk({}));
  });

  it("splits endless episodes", () => {
    expect(walk({ maxSteps: Number.POSITIVE_INFINITY })).toEqual(walk({}));
  });

  it("needs goals", () => {
    expect(() => replay({ capacity: 4, record: hindsight({ reward }) })(testGrid(1), 4)).toThrow(
      "achieved and desired",
    );
  });
});
