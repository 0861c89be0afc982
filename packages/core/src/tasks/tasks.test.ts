import { describe, expect, it } from "vitest";
import { defaultRng } from "../numpy/index.ts";
import { played } from "../selections/testing.ts";
import { Statistics } from "../statistics.ts";
import type { Task, TaskItem } from "../task.ts";
import { curriculum, endless, neymanAllocation } from "./index.ts";
import { shares } from "./neyman-allocation.ts";

const statistics = new Statistics();

/** Samples a batch of a task with a learner that solves each problem with a given probability. */
function turn(
  task: Task,
  chance: (problem: TaskItem) => number,
  random = defaultRng(1),
): readonly TaskItem[] {
  const problems = task.next(statistics);
  task.observe?.(
    problems.flatMap((p) =>
      Array.from({ length: p.groupSize }, () =>
        played({
          group: p.group,
          context: p.context as { [name: string]: number },
          reward: random.random() < chance(p) ? 1 : 0,
        }),
      ),
    ),
  );
  return problems;
}

describe("endless", () => {
  it("samples the given number of problems, with the common fields", () => {
    const task = endless({ seed: 3, groups: 5, groupSize: 7, more: { key: "sums", context: { level: 2 } } });
    const problems = task.next(statistics);
    expect(problems).toHaveLength(5);
    for (const p of problems) expect(p).toMatchObject({ key: "sums", groupSize: 7, context: { level: 2 } });
    expect(new Set(problems.map((p) => p.seed)).size).toBe(5);
    expect(task.next(statistics)).not.toEqual(problems);
  });

  it("samples from a pool, and resumes exactly", () => {
    const make = () => endless({ seed: 3, groups: 50, groupSize: 1, pool: 4 });
    const task = make();
    const seeds = new Set(task.next(statistics).map((p) => p.seed));
    expect([...seeds].sort()).toEqual([0, 1, 2, 3]);
    const saved = task.save!();
    const after = task.next(statistics);
    const other = make();
    other.restore!(saved);
    expect(other.next(statistics)).toEqual(after);
  });
});

describe("curriculum", () => {
  const options = { seed: 1, levels: [1, 2, 3, 4], groups: 32, groupSize: 4 };
  /** How often a simulated learner solves each level. */
  const chances = [1, 0.5, 0.02, 0];
  const chance = (p: TaskItem) => chances[(p.context!.level as number) - 1];

  it("comes to the level that is solved half of the time", () => {
    const task = curriculum(options);
    const random = defaultRng(2);
    for (let i = 0; i < 60; i++) turn(task, chance, random);
    const counts = new Map<unknown, number>();
    for (let i = 0; i < 40; i++)
      for (const p of turn(task, chance, random)) {
        expect(p.key).toBe(`level ${p.context!.level}`);
        counts.set(p.context!.level, (counts.get(p.context!.level) ?? 0) + 1);
      }
    const share = (level: number) => (counts.get(level) ?? 0) / (40 * 32);
    expect(share(2)).toBeGreaterThan(0.75);
    // A tenth is sampled uniformly, so that no level is forgotten.
    for (const level of [1, 3, 4]) expect(share(level)).toBeGreaterThan(0.01);
  });

  it("goes up with a learner that gets better", () => {
    const task = curriculum(options);
    const random = defaultRng(4);
    const mean = (better: number) => {
      const problems = turn(task, (p) => (Number(p.context!.level) <= better ? 0.95 : 0.4), random);
      return problems.reduce((s, p) => s + Number(p.context!.level), 0) / problems.length;
    };
    const means = Array.from({ length: 90 }, (_, i) => mean(Math.floor(i / 30)));
    const late = (part: number) => means.slice(30 * part + 20, 30 * part + 30).reduce((a, b) => a + b) / 10;
    expect(late(0)).toBeLessThan(late(1));
    expect(late(1)).toBeLessThan(late(2));
  });

  it("begins with every level as half solved, and moves estimates by hand", () => {
    const task = curriculum({ ...options, memory: 0.5 });
    const rates = () => [...(task.save!() as { rates: Float64Array }).rates];
    expect(rates()).toEqual([0.5, 0.5, 0.5, 0.5]);
    task.observe!([
      played({ context: { level: 1 }, reward: 1 }),
      played({ context: { level: 1 }, reward: 0 }),
      played({ context: { level: 1 }, reward: 1 }),
      played({ context: { level: 1 }, reward: 0.9 }),
      played({ context: { level: 3 }, reward: 0.2, score: 1 }),
      played({ context: { level: 9 }, reward: 1 }),
      played({ reward: 1 }),
    ]);
    expect(rates()).toEqual([0.5, 0.5, 0.75, 0.5]);
    task.observe!([played({ context: { level: 3 } })]);
    expect(rates()).toEqual([0.5, 0.5, 0.375, 0.5]);
  });

  it("resumes exactly", () => {
    const task = curriculum(options);
    for (let i = 0; i < 5; i++) turn(task, chance);
    const saved = task.save!();
    const follow = (t: Task) => Array.from({ length: 3 }, () => turn(t, chance));
    const after = follow(task);
    const other = curriculum(options);
    other.restore!(saved);
    expect(follow(other)).toEqual(after);
  });

  it("needs levels", () => {
    expect(() => curriculum({ ...options, levels: [] })).toThrow("got no levels");
  });
});

describe("uncertain", () => {
  const three: Task = {
    next: () => ["a", "b", "c"].map((key) => ({ key, seed: 1, groupSize: 10 })),
  };

  it("allocates samples in proportion to the standard deviation of the outcome, by hand (Neyman, 1934)", () => {
    const task = neymanAllocation(three, { least: 0 });
    const plays = () => task.next(statistics).map((p) => p.groupSize);
    // At first all success rates are one half.
    const first = task.next(statistics);
    expect(first.map((p) => p.groupSize)).toEqual([10, 10, 10]);
    const outcome = (i: number, solved: number, of: number) =>
      Array.from({ length: of }, (_, k) => played({ group: first[i].group, reward: k < solved ? 1 : 0 }));
    // With one success and one failure more: 9 of 10, 5 of 10, 1 of 10; deviations 0.3, 0.5, 0.3.
    task.observe!([...outcome(0, 8, 8), ...outcome(1, 4, 8), ...outcome(2, 0, 8)]);
    // 30 × 0.3 / 1.1 = 8.18, 30 × 0.5 / 1.1 = 13.64: the last of the 30 goes to the larger rest.
    expect(plays()).toEqual([8, 14, 8]);
  });

  it("distinguishes problems by its option, and ignores episodes of unknown groups", () => {
    const two: Task = { next: () => [1, 2].map((seed) => ({ key: "same", seed, groupSize: 10 })) };
    const task = neymanAllocation(two, { of: (p) => String(p.seed), least: 0 });
    const [a] = task.next(statistics);
    task.observe!(Array.from({ length: 98 }, () => played({ group: a.group, reward: 1 })));
    task.observe!(Array.from({ length: 98 }, () => played({ group: "stranger", reward: 1 })));
    // 99 of 100 against one half: deviations 0.0995 and 0.5.
    expect(task.next(statistics).map((p) => p.groupSize)).toEqual([3, 17]);
  });

  it("gives integer shares that sum to the total, with a minimum, as proportional as possible", () => {
    expect(shares([1, 1, 1], 10, 0)).toEqual([4, 3, 3]);
    expect(shares([3, 1], 8, 0)).toEqual([6, 2]);
    expect(shares([1, 0, 0], 10, 2)).toEqual([6, 2, 2]);
    // Not enough for the minimum: all get the same.
    expect(shares([5, 1, 1], 4, 2)).toEqual([2, 1, 1]);
    const random = defaultRng(5);
    for (let i = 0; i < 300; i++) {
      const n = 1 + random.integers(8);
      const weights = Array.from({ length: n }, () => random.random());
      const [total, least] = [random.integers(60), random.integers(4)];
      const out = shares(weights, total, least);
      expect(out.reduce((a, b) => a + b, 0)).toBe(total);
      const floor = Math.min(least, Math.floor(total / n));
      const sum = weights.reduce((a, b) => a + b, 0);
      out.forEach((x, k) => {
        expect(x).toBeGreaterThanOrEqual(floor);
        const exact = floor + ((total - floor * n) * weights[k]) / sum;
        expect(Math.abs(x - exact)).toBeLessThan(1);
      });
    }
  });

  it("reports to the inner task too, and saves both", () => {
    const make = () => neymanAllocation(curriculum({ seed: 2, levels: [1, 2], groups: 6, groupSize: 4 }));
    const chance = (p: TaskItem) => (p.context!.level === 1 ? 0.9 : 0.1);
    const task = make();
    for (let i = 0; i < 4; i++) turn(task, chance);
    const saved = task.save!();
    const follow = (t: Task) => Array.from({ length: 3 }, () => turn(t, chance));
    const after = follow(task);
    const other = make();
    other.restore!(saved);
    expect(follow(other)).toEqual(after);
    const { inner } = saved as { inner: { rates: Float64Array } };
    expect(inner.rates[0]).toBeGreaterThan(inner.rates[1]);
    for (const batch of after) expect(batch.reduce((n, p) => n + p.groupSize, 0)).toBe(24);
  });
});
