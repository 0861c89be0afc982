import { describe, expect, it } from "vitest";
import { SimulatedClock } from "./clock.ts";

describe("the simulated clock", () => {
  it("runs events in the order of their times, then of scheduling", () => {
    const clock = new SimulatedClock(0);
    const seen: string[] = [];
    const note = (what: string) => () => seen.push(`${what} at ${clock.now}`);
    clock.after(2, note("c"));
    clock.after(1, note("a"));
    clock.after(1, () => {
      note("b")();
      clock.after(0.5, note("later"));
    });
    clock.run(1.2);
    expect(clock.now).toBe(1.2);
    clock.run();
    expect(seen).toEqual(["a at 1", "b at 1", "later at 1.5", "c at 2"]);
  });

  it("samples the same latencies for the same seed and name, regardless of other samples", () => {
    const draws = (other: boolean) => {
      const clock = new SimulatedClock(7);
      return Array.from({ length: 5 }, () => {
        if (other) clock.latency("other", { median: 3, spread: 1 });
        return clock.latency("tool", { median: 2, spread: 0.5 });
      });
    };
    expect(draws(true)).toEqual(draws(false));
    const many = draws(false);
    expect(Math.min(...many)).toBeGreaterThan(0);
    expect(new SimulatedClock(1).latency("x", { median: 4, spread: 0 })).toBe(4);
  });
});
