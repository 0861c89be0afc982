import { describe, expect, it } from "vitest";
import { clampInto, isWithin, type RangeName, ranges } from "./range.ts";
import * as signals from "./signal.ts";
import { LiveValue } from "./signals/live.ts";
import { Statistics } from "./statistics.ts";

const names = Object.keys(ranges) as RangeName[];

describe("ranges", () => {
  it.each(names)("%s: clamped numbers lie inside, and numbers inside stay", (range) => {
    for (const x of [-1e9, -1.5, -1, 0, 1e-9, 0.4, 1, 1.5, 7, 1e9]) {
      expect(isWithin(range, clampInto(range, x))).toBe(true);
      if (isWithin(range, x)) expect(clampInto(range, x)).toBe(x);
    }
    expect(isWithin(range, Number.NaN)).toBe(false);
  });

  it("a controller stays in the range of its setting", () => {
    const statistics = new Statistics();
    const live = new LiveValue(
      "gamma",
      signals.pi({ of: "x", target: 0, initial: 0.5, gain: -1, integral: 0 }),
      "share",
    );
    for (const [measured, value] of [
      [0.25, 0.75],
      [100, 1],
      [-100, 0],
    ]) {
      statistics.record("x", measured);
      live.update(0, statistics);
      expect(live.value).toBe(value);
    }
    expect(() => live.set(2)).toThrow("gamma is 2; it must be a number from 0 to 1.");
  });
});
