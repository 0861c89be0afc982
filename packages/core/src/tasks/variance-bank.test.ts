import { describe, expect, it } from "vitest";
import type { JudgedEpisode } from "../selection.ts";
import { marks } from "../selections/testing.ts";
import { watch } from "../selections/watch.ts";
import type { TaskItem } from "../task.ts";
import { nextOf, playsOf } from "./testing.ts";
import { shareOfVariance, varianceBank } from "./variance-bank.ts";

/** Three problems per batch: 0, 1, 2, then 3, 4, 5, and so on. */
function counting() {
  let next = 0;
  return {
    next: (): TaskItem[] => Array.from({ length: 3 }, () => ({ key: "n", seed: next++, groupSize: 4 })),
    save: () => next,
    restore: (from: unknown) => void (next = from as number),
  };
}

/** Runs one update to its end; `rights` gives the number of correct samples of the four of a problem. */
function played(task: ReturnType<typeof varianceBank>, rights: (seed: number) => number) {
  const batches: number[][] = [];
  let all: JudgedEpisode[] = [];
  for (;;) {
    const problems = nextOf(task);
    batches.push(problems.map((p) => p.seed!));
    const judged = playsOf(problems, (p, i) => Number(i < rights(p.seed!)));
    all = [...all, ...judged];
    const chosen = task.select(all);
    if (chosen) return { batches, learned: [...new Set(marks(chosen))] };
  }
}

const some = (threshold: number) => ({ threshold: () => threshold });

describe("varianceBank", () => {
  it("trains on problems with enough variance, and fills up with earlier ones sampled anew", () => {
    const task = varianceBank(counting(), some(0.8));
    // A quarter correct is 3/4 of the maximum variance, half correct all of it.
    expect(played(task, (s) => [2, 1, 2][s])).toEqual({ batches: [[0, 1, 2]], learned: [0, 2] });
    expect(played(task, (s) => (s === 4 ? 4 : 2))).toEqual({ batches: [[3, 4, 5], [0]], learned: [3, 5, 0] });
    expect(played(task, (s) => (s > 5 ? 0 : 2)).batches).toEqual([
      [6, 7, 8],
      [2, 3, 5],
    ]);
  });

  it("has a smaller batch while the bank is empty", () => {
    const task = varianceBank(counting(), some(0.8));
    expect(played(task, () => 0)).toEqual({ batches: [[0, 1, 2]], learned: [] });
  });

  it("drops problems that no longer vary, and those that came back often enough", () => {
    const task = varianceBank(counting(), { ...some(0.8), replays: 2 });
    played(task, () => 2);
    // 0, 1 and 2 wait. All come back; 1 is solved by then.
    expect(played(task, (s) => (s > 2 ? 0 : s === 1 ? 4 : 2)).batches[1]).toEqual([0, 1, 2]);
    expect(played(task, (s) => (s > 2 ? 0 : 2)).batches[1]).toEqual([0, 2]);
    expect(played(task, () => 0).batches).toEqual([[9, 10, 11]]);
  });

  it("moves priorities from the variance to the updates waited", () => {
    const task = varianceBank(counting(), { threshold: () => 0.5, memory: 0.9 });
    const bank = () =>
      (task.save!() as unknown as { bank: { problem: string; priority: number }[] }).bank.map((k) => [
        JSON.parse(k.problem).seed,
        k.priority,
      ]);
    played(task, (s) => [1, 2, 1][s]);
    expect(bank()).toEqual([
      [1, 1],
      [0, 0.75],
      [2, 0.75],
    ]);
    played(task, () => 2);
    // Waited once: 0.9 of the old and 0.1 of 1. Those just played begin with their variance.
    const once = 0.9 * 0.75 + 0.1;
    expect(bank().map(([seed]) => seed)).toEqual([1, 3, 4, 5, 0, 2]);
    expect(bank()[4][1]).toBeCloseTo(once, 12);
    played(task, () => 2);
    expect(bank().find(([seed]) => seed === 0)![1]).toBeCloseTo(0.9 * once + 0.1 * 2, 12);
  });

  it("keeps no more than its capacity", () => {
    const task = varianceBank(counting(), { ...some(0.5), capacity: 2 });
    played(task, (s) => [1, 2, 1][s]);
    expect(played(task, () => 0).batches[1]).toEqual([1, 0]);
  });

  it("raises its threshold after twenty updates", () => {
    const task = varianceBank(counting(), { replays: 0 });
    const learned = Array.from({ length: 22 }, () => played(task, () => 1).learned.length);
    expect(learned).toEqual([...Array(20).fill(3), 0, 0]);
  });

  it("resumes exactly", () => {
    const rights = (s: number) => s % 4;
    const task = varianceBank(counting(), some(0.8));
    for (let i = 0; i < 3; i++) played(task, rights);
    const saved = task.save!();
    const again = varianceBank(counting(), some(0.8));
    played(again, () => 2);
    nextOf(again);
    again.restore!(saved);
    for (let i = 0; i < 3; i++) expect(played(again, rights)).toEqual(played(task, rights));
  });
});

describe("shareOfVariance", () => {
  it("is 1 at the maximum variance, for even and odd groups", () => {
    expect([0, 1, 2, 3, 4].map((k) => shareOfVariance([0, 1, 2, 3].map((i) => Number(i < k))))).toEqual([
      0, 0.75, 1, 0.75, 0,
    ]);
    expect(shareOfVariance([1, 1, 0])).toBeCloseTo(1, 12);
    expect(shareOfVariance([1])).toBe(0);
  });
});

describe("watched", () => {
  it("is called once per update, with all samples", () => {
    const seen: number[][] = [];
    const task = varianceBank(counting(), some(0.8));
    const all = { ...task, ...watch((a, b) => seen.push([a.length, b.length]), task) };
    played(all, () => 2);
    played(all, (s) => (s > 4 ? 2 : 0));
    expect(seen).toEqual([
      [12, 12],
      [20, 4],
    ]);
  });

  it("lets everything through without an inner selection", () => {
    const judged = playsOf([{ key: "a", groupSize: 3 }], () => 1);
    expect(watch(() => {}).select(judged)).toBe(judged);
  });
});
