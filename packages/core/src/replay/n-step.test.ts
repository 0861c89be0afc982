import { describe, expect, it } from "vitest";
import { save } from "../snapshot.ts";
import { nStep } from "./n-step.ts";
import { replay } from "./replay.ts";
import { entries, fill, type TestStep, testGrid } from "./testing.ts";

const play = (steps: number, moments: TestStep[][], capacity = 100) => {
  const grid = testGrid(moments[0].length, { alive: true });
  const memory = replay({ capacity, record: nStep({ steps, gamma: 0.5 }) })(grid, 4);
  for (const m of moments) memory.add(fill(grid, m));
  return memory;
};

describe("nStep", () => {
  it("of one step records transitions; after a termination the discount is 0", () => {
    const memory = play(1, [
      [{ at: 0, reward: 1, next: 1 }],
      [{ at: 1, reward: 2, next: 2, end: "terminated" }],
      [{ at: 5, reward: 3, next: 6, end: "truncated" }],
    ]);
    expect(entries(memory)).toEqual([
      [0, 1, 0.5, 1],
      [1, 2, 0, 2],
      [5, 3, 0.5, 6],
    ]);
  });

  it("of three sums discounted rewards and looks γ³ ahead", () => {
    const memory = play(3, [
      [{ at: 0, reward: 1, next: 1 }],
      [{ at: 1, reward: 2, next: 2 }],
      [{ at: 2, reward: 4, next: 3 }],
      [{ at: 3, reward: 8, next: 4 }],
    ]);
    // 1 + 2/2 + 4/4 = 3 and 2 + 4/2 + 8/4 = 6; the last two are not complete.
    expect(entries(memory)).toEqual([
      [0, 3, 0.125, 3],
      [1, 6, 0.125, 4],
    ]);
  });

  it("completes with the episode: a termination has discount 0, a truncation bootstraps from its last observation", () => {
    const episode = (end: "terminated" | "truncated"): TestStep[][] => [
      [{ at: 0, reward: 1, next: 1 }],
      [{ at: 1, reward: 2, next: 9, end }],
      [{ at: 5, reward: 4, next: 6 }],
    ];
    expect(entries(play(3, episode("terminated")))).toEqual([
      [0, 2, 0, 9],
      [1, 2, 0, 9],
    ]);
    expect(entries(play(3, episode("truncated")))).toEqual([
      [0, 2, 0.25, 9],
      [1, 2, 0.5, 9],
    ]);
  });

  it("keeps rows separate and skips absent agents", () => {
    const memory = play(2, [
      [
        { at: 0, reward: 1, next: 1 },
        { at: 100, reward: 10, next: 101 },
      ],
      [
        { at: 1, reward: 2, next: 2 },
        { at: 101, reward: 20, next: 102, end: "terminated" },
      ],
      [
        { at: 2, reward: 4, next: 3 },
        { at: 0, reward: 0, next: 0, alive: false },
      ],
    ]);
    expect(entries(memory)).toEqual([
      [0, 2, 0.25, 2],
      [100, 20, 0, 102],
      [101, 20, 0, 102],
      [1, 4, 0.25, 3],
    ]);
  });

  it("overwrites the oldest when it is full, and reports its bytes", () => {
    const moments = Array.from({ length: 5 }, (_, i) => [{ at: i, reward: i, next: i + 1 }]);
    const memory = play(1, moments, 3);
    expect(memory.size.data[0]).toBe(3);
    expect(entries(memory).map((e) => e[0])).toEqual([3, 4, 2]);
    // observation, next, action, reward and discount of four bytes each.
    expect(memory.bytes).toBe(3 * 5 * 4);
  });

  it("resumes exactly in the middle of an entry", () => {
    const moments: TestStep[][] = Array.from({ length: 9 }, (_, i) => [
      { at: i, reward: i, next: i + 1, ...(i % 4 === 3 ? { end: "truncated" as const } : {}) },
    ]);
    const whole = play(3, moments, 5);
    const grid = testGrid(1, { alive: true });
    const make = () => replay({ capacity: 5, record: nStep({ steps: 3, gamma: 0.5 }) })(grid, 4);
    const [first, second] = [make(), make()];
    for (const m of moments.slice(0, 6)) first.add(fill(grid, m));
    second.restore(first.save());
    for (const m of moments.slice(6)) second.add(fill(grid, m));
    expect(entries(second)).toEqual(entries(whole));
    expect(save(second)).toEqual(save(whole));
  });

  it("resumes with another capacity only while no entry was overwritten", () => {
    const grid = testGrid(1, { alive: true });
    const make = (capacity: number) => replay({ capacity })(grid, 4);
    const filled = (capacity: number, count: number) => {
      const memory = make(capacity);
      for (let i = 0; i < count; i++) memory.add(fill(grid, [{ at: i, reward: i, next: i + 1 }]));
      return memory.save();
    };
    const larger = make(8);
    larger.restore(filled(5, 3));
    larger.add(fill(grid, [{ at: 3, reward: 3, next: 4 }]));
    expect(entries(larger).map(([at]) => at)).toEqual([0, 1, 2, 3]);
    // The fourth slot of the old ring comes next: it is not the end of the new one.
    for (const count of [5, 8])
      expect(() => make(8).restore(filled(5, count))).toThrow(
        "holds 5 entries, but this one has a capacity of 8",
      );
  });

  it("rejects an invalid capacity or span", () => {
    expect(() => replay({ capacity: 0 })).toThrow("capacity is 0");
    expect(() => nStep({ steps: 0 })).toThrow("whole number from 1");
  });
});
