import { compile, random, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { LiveValue } from "../signals/live.ts";
import { draw } from "./minibatch.ts";
import { prioritisedSampler } from "./priorities.ts";
import { replay } from "./replay.ts";
import { fill, testGrid } from "./testing.ts";

const filled = (count: number, options: Partial<Parameters<typeof replay>[0]> = {}, batch = 8) => {
  const grid = testGrid(1);
  const memory = replay({ capacity: 16, ...options })(grid, batch);
  for (let i = 0; i < count; i++) memory.add(fill(grid, [{ at: i, reward: i, next: i + 1 }]));
  return memory;
};

describe("uniformly", () => {
  it("samples all entries and only those within the size at run time", () => {
    const grid = testGrid(1);
    const memory = replay({ capacity: 16 })(grid, 8);
    const f = compile((c: typeof memory.columns, key: Tensor) => draw(memory, c, 4000, key).columns as never);
    const counts = (size: number) => {
      while (memory.size.data[0] < size)
        memory.add(fill(grid, [{ at: memory.size.data[0], reward: 0, next: 0 }]));
      const { observation } = f(memory.columns as never, random.key(size)) as { observation: Tensor };
      return Array.from({ length: 16 }, (_, i) => observation.data.filter((x) => x === i).length);
    };
    for (const size of [1, 5, 16]) {
      counts(size).forEach((n, i) => {
        if (i >= size) expect(n).toBe(0);
        else expect(Math.abs(n - 4000 / size)).toBeLessThan(5 * Math.sqrt(4000 / size));
      });
    }
  });
});

describe("prioritisedSampler", () => {
  it("samples in proportion to error^alpha and weights by (N P)^-beta, at most 1", () => {
    const memory = filled(4, { choose: prioritisedSampler({ alpha: 0.5, beta: 1, floor: 0, seed: 1 }) });
    const { index, weight } = memory.sample(8, random.key(0));
    memory.prepare!();
    // New entries are alike: stratified, each twice.
    expect([...index.data]).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    expect([...weight!.data]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(memory.effective!()).toBe(1);
    // Priorities 1, 2, 3 and 4 after the square root, of 10 in all.
    memory.updatePriorities!(tensor([1, 1, 4, 4, 9, 9, 16, 16]));
    const counts = [0, 0, 0, 0];
    for (let k = 0; k < 500; k++) {
      memory.prepare!();
      index.data.forEach((i) => counts[i]++);
    }
    counts.forEach((n, i) => expect(n / 4000).toBeCloseTo((i + 1) / 10, 1));
    // 1 / (4 P) = 2.5, 1.25, 0.833, 0.625 over the largest drawn.
    const drawn = [...index.data];
    const most = Math.max(...drawn.map((i) => 1 / (i + 1)));
    drawn.forEach((i, k) => expect(weight!.data[k]).toBeCloseTo(1 / (i + 1) / most, 6));
    const [sum, squares] = [1, 2].map((power) => [...weight!.data].reduce((s, w) => s + w ** power, 0));
    expect(memory.effective!()).toBeCloseTo(sum ** 2 / (8 * squares), 6);
  });

  it("gives new entries the highest priority so far", () => {
    const memory = filled(2, { choose: prioritisedSampler({ alpha: 1, beta: 0, floor: 0 }) }, 2);
    const { index } = memory.sample(2, random.key(0));
    memory.prepare!();
    memory.updatePriorities!(tensor([3, 5]));
    const grid = testGrid(1);
    memory.add({ ...fill(grid, [{ at: 9, reward: 0, next: 0 }]) });
    let newest = 0;
    for (let k = 0; k < 2000; k++) {
      memory.prepare!();
      newest += index.data.filter((i) => i === 2).length;
    }
    expect(newest / 4000).toBeCloseTo(5 / 13, 1);
  });

  it("follows live settings and ignores rows that were not used (NaN)", () => {
    const beta = new LiveValue("beta", 0);
    const memory = filled(2, { choose: prioritisedSampler({ alpha: 1, beta, floor: 0 }) }, 4);
    const { weight, index } = memory.sample(4, random.key(0));
    memory.prepare!();
    memory.updatePriorities!(tensor([1, Number.NaN, 3, Number.NaN]));
    memory.prepare!();
    expect(Math.min(...weight!.data)).toBe(1);
    beta.set(1);
    memory.prepare!();
    expect(
      [...index.data]
        .map((i, k) => (i === 1 ? weight!.data[k] : 1 / 3))
        .every((w) => Math.abs(w - 1 / 3) < 1e-6),
    ).toBe(true);
  });

  it("resumes exactly", () => {
    const options = { choose: prioritisedSampler({ seed: 4 }) };
    const [a, b] = [filled(10, options), filled(3, options)];
    const picked = [a, b].map((m) => m.sample(8, random.key(0)));
    a.prepare!();
    a.updatePriorities!(tensor([1, 2, 3, 4, 5, 6, 7, 8]));
    b.restore(a.save());
    for (let k = 0; k < 5; k++) {
      a.prepare!();
      b.prepare!();
      expect(picked[1].index.data).toEqual(picked[0].index.data);
      expect(picked[1].weight!.data).toEqual(picked[0].weight!.data);
    }
  });
});
