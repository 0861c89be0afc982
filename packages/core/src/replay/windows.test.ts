import type { Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { replay } from "./replay.ts";
import { fill, type TestStep, testGrid } from "./testing.ts";
import { windows } from "./windows.ts";

const record = (length: number, overlap: number, moments: TestStep[], resume = -1, tails = false) => {
  const grid = testGrid(1, { state: true });
  const make = () =>
    replay({ capacity: 8, record: windows({ length, overlap, tails, gamma: 0.5 }) })(grid, 4);
  let memory = make();
  let begins = true;
  moments.forEach((m, i) => {
    if (i === resume) {
      const other = make();
      other.restore(memory.save());
      memory = other;
    }
    grid.first!.data[0] = begins ? 1 : 0;
    (grid.state as { h: Tensor }).h.data.set([m.at * 10, m.at * 10 + 1]);
    memory.add(fill(grid, [m]));
    begins = m.end !== undefined;
  });
  const size = memory.size.data[0];
  const rows = (t: Tensor) => (t.toArray() as never[]).slice(0, size);
  const c = memory.columns as unknown as { [name: string]: Tensor } & { state: { h: Tensor } };
  return {
    observation: rows(c.observation).map((w: number[][]) => w.map(([x]) => x)),
    discount: rows(c.discount),
    valid: rows(c.valid),
    first: rows(c.first),
    state: rows(c.state.h).map(([x]: number[]) => x),
  };
};

const steps: TestStep[] = [0, 1, 2, 3, 4, 5].map((i) => ({
  at: i,
  reward: i,
  next: i + 1,
  ...(i === 4 ? { end: "terminated" } : {}),
}));

describe("windows", () => {
  it("splits episodes into windows, the last one padded, with their initial states", () => {
    const w = record(3, 0, steps);
    expect(w.observation).toEqual([
      [0, 1, 2],
      [3, 4, 4],
    ]);
    expect(w.valid).toEqual([
      [true, true, true],
      [true, true, false],
    ]);
    expect(w.first).toEqual([
      [true, false, false],
      [false, false, false],
    ]);
    expect(w.discount).toEqual([
      [0.5, 0.5, 0.5],
      [0.5, 0, 0],
    ]);
    expect(w.state).toEqual([0, 30]);
  });

  it("overlaps, with the state of the first shared step", () => {
    const w = record(3, 1, steps);
    expect(w.observation).toEqual([
      [0, 1, 2],
      [2, 3, 4],
    ]);
    expect(w.state).toEqual([0, 20]);
  });

  it("resumes exactly in the middle of a window", () => {
    for (const at of [1, 2, 3, 4]) expect(record(3, 1, steps, at)).toEqual(record(3, 1, steps));
  });

  it("lets every step start a window, shorter at the end of an episode", () => {
    const w = record(3, 2, steps, -1, true);
    expect(w.observation).toEqual([
      [0, 1, 2],
      [1, 2, 3],
      [2, 3, 4],
      [3, 4, 4],
      [4, 4, 4],
    ]);
    expect((w.valid as boolean[][]).map((v) => v.filter(Boolean).length)).toEqual([3, 3, 3, 2, 1]);
    expect(w.state).toEqual([0, 10, 20, 30, 40]);
    for (const at of [2, 4]) expect(record(3, 2, steps, at, true)).toEqual(w);
  });

  it("rejects an overlap of whole windows", () => {
    expect(() => windows({ length: 3, overlap: 3 })).toThrow("0 to 2");
  });
});
