import { describe, expect, it } from "vitest";
import { between, beyond, pointsOf } from "../grid.ts";
import { arm, example, noise, runnerOf } from "./testing.ts";
import { tune } from "./tuning.ts";

const peak =
  (best: number) =>
  (seed: number, { rate = 1, weight = 0 }: { rate?: unknown; weight?: unknown }) => ({
    score:
      0.01 * noise(seed) -
      (Math.log2(rate as number) - best) ** 2 -
      0.1 * (weight as number) -
      0.001 * (rate as number),
  });
const made = (system: number, baseline: number, more = {}) =>
  example({
    system: arm("new", peak(system)),
    baselines: [arm("plain", peak(baseline))],
    grid: { rate: [0.5, 1, 2] },
    ...more,
  });
const tuned = (r: ReturnType<typeof made>) => tune(r, runnerOf(r, "unused"));

describe("tuning", () => {
  it("takes the best point of each arm", async () => {
    const [a, b] = await tuned(made(0, 0));
    expect([a.chosen, b.chosen]).toEqual([{ rate: 1 }, { rate: 1 }]);
    // At the end both are refined halfway to the neighbours of their best.
    expect(a.points.map((p) => p.settings.rate)).toEqual([0.5, 1, 2, 1.41421, 0.707107]);
    expect(a.edges).toBeUndefined();
  });

  it("extends the grid if the best lies on an edge, at most twice, and reports remaining edges", async () => {
    const [up, down] = await tuned(made(2, -2));
    expect([up.chosen.rate, down.chosen.rate]).toEqual([4, 0.25]);
    // One more point inside: between its best and a neighbour.
    expect([up, down].map((t) => t.points.length)).toEqual([7, 7]);
    const [far] = await tuned(made(9, 0));
    expect(far).toMatchObject({ chosen: { rate: 8 }, edges: ["rate"] });
  });

  it("finds optima between the points of a grid, for both arms", async () => {
    const [a, b] = await tuned(made(0.5, -0.5));
    expect([a.chosen.rate, b.chosen.rate]).toEqual([1.41421, 0.707107]);
  });

  it("searches every arm at the same number of distinct points", async () => {
    const all = await tuned(made(2, 0));
    expect(new Set(all.map((t) => t.points.length)).size).toBe(1);
    for (const { points } of all)
      expect(new Set(points.map((p) => JSON.stringify(p.settings))).size).toBe(points.length);
  });

  it("gives the best points more seeds before it chooses", async () => {
    const [{ points }] = await tuned(made(0, 0));
    expect(points.map((p) => p.values.length)).toEqual([10, 10, 10, 10, 10]);
    const many = made(0, 0, { grid: { rate: [0.25, 0.5, 1, 2, 4] } });
    expect((await tuned(many))[0].points.map((p) => p.values.length)).toEqual([
      ...[3, 10, 10, 10, 3],
      ...[10, 10],
    ]);
  });

  it("keeps the points that it cannot distinguish from the chosen one", async () => {
    const own = (seed: number, rate: number) => noise(seed * (rate + 7.3));
    const rough = (height: number) =>
      made(0, 0, {
        system: arm("new", (seed, { rate }) => ({
          score: peak(0)(seed, { rate }).score + height * own(seed, rate as number),
        })),
      });
    expect((await tuned(rough(0)))[0].rivals).toBeUndefined();
    const [{ chosen, rivals = [], points }] = await tuned(rough(5));
    expect(rivals.length).toBeGreaterThan(0);
    expect(rivals).not.toContainEqual(chosen);
    for (const r of rivals) expect(points.map((p) => p.settings)).toContainEqual(r);
  });

  it("stops at limits, and rejects a grid that cannot be extended", async () => {
    const grid = { weight: [0, 0.5, 1] };
    const r = made(0, 0, { grid, limits: { weight: [0, 1] } });
    expect((await tuned(r))[0]).toMatchObject({ chosen: { weight: 0 } });
    expect(() => made(0, 0, { grid })).toThrow("limits: { weight: [lowest, highest] }");
    expect(() => made(0, 0, { grid, limits: { weight: [0, 0.7] } })).toThrow(
      "weight 1 is outside of its limits",
    );
  });

  it("rejects a setting without effect on an arm, and arms with unequal grids", async () => {
    const deaf = example({
      system: arm("new", peak(0)),
      baselines: [arm("plain", (seed) => ({ score: noise(seed) }))],
      grid: { rate: [0.5, 1, 2] },
    });
    await expect(tuned(deaf)).rejects.toThrow("rate (0.5, 1, 2) has no effect on plain");
    // Equal on three seeds and not on ten: a coincidence.
    const rare = (seed: number, { rate }: { rate?: unknown }) => ({
      score: seed === 57 ? (rate as number) : 0,
    });
    const counted = example({
      system: arm("new", peak(0)),
      baselines: [arm("plain", rare)],
      grid: { rate: [0.5, 1, 2] },
    });
    expect((await tuned(counted))[1].chosen.rate).toBeGreaterThan(1);
    expect(() => made(1, 1, { baselines: [arm("plain", peak(1), { grid: { rate: [1, 2] } })] })).toThrow(
      "new is tuned over 3 points, but plain over 2",
    );
    expect(() => made(1, 1, { grid: { rate: [] } })).toThrow("no value for rate");
  });
});

describe("grids", () => {
  it("are all combinations", () => {
    expect(pointsOf({ a: [1, 2], b: ["x", "y"] }).length).toBe(4);
    expect(pointsOf({})).toEqual([{}]);
  });

  it("are extended by their last ratio, or by their last difference if one is 0, as integers if all are", () => {
    const on = (values: number[], at: number, limits?: [number, number]) =>
      beyond(
        { x: at },
        values.map((x) => ({ x })),
        "x",
        limits && { x: limits },
      )?.x;
    expect(on([1e-3, 2e-3], 2e-3)).toBeCloseTo(4e-3, 12);
    expect(on([1e-3, 3e-3, 1e-2], 1e-3)).toBeCloseTo(3.33333e-4, 9);
    expect(on([0, 0.5, 1], 1)).toBe(1.5);
    expect(on([0, 0.5, 1], 0, [0, 1])).toBeUndefined();
    expect(on([0.5, 0.9], 0.9, [0, 1])).toBe(1);
    expect(on([4, 8], 8)).toBe(16);
    expect(on([2, 4, 8], 4)).toBeUndefined();
    expect(on([8], 8)).toBeUndefined();
    const middle = (values: number[], at: number) =>
      between(
        { x: at },
        values.map((x) => ({ x })),
        "x",
      )[0]?.x;
    expect(middle([1, 4], 1)).toBe(2);
    expect(middle([1, 2], 1)).toBeUndefined();
    expect(middle([0.1, 0.4], 0.4)).toBeCloseTo(0.2, 9);
  });
});
