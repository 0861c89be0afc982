import { compile, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import * as signals from "../signal.ts";
import { Statistics } from "../statistics.ts";
import { controller } from "./controllers.ts";
import { LiveColumn, LiveTask, LiveValue } from "./live.ts";

const at = (setting: signals.Setting, progress: number) => {
  const live = new LiveValue("x", setting);
  live.update(progress, new Statistics());
  return live.value;
};

describe("schedules", () => {
  it("follow progress and stay at their end", () => {
    expect(at(signals.linear(1, 0), 0.25)).toBeCloseTo(0.75);
    expect(at(signals.linear(1, 0.1, 0.5), 0.9)).toBeCloseTo(0.1);
    expect(at(signals.cosine(1, 0), 0.5)).toBeCloseTo(0.5);
    expect(at(signals.cosine(1, 0), 0.25)).toBeCloseTo(0.8536, 3);
    expect(at(signals.exponential(1, 0.01), 0.5)).toBeCloseTo(0.1);
    expect(at(signals.piecewise([0, 1], [0.5, 3], [1, 2]), 0.25)).toBeCloseTo(2);
    expect(at(signals.piecewise([0.5, 3]), 0.1)).toBe(3);
    expect(at(signals.warmup(0.1, signals.linear(1, 0)), 0.05)).toBeCloseTo(0.475);
    expect(at(7, 0.3)).toBe(7);
  });
  it("reject invalid arguments", () => {
    expect(() => at(signals.linear(1, 0, 0), 0)).toThrow("over is 0; it must be a fraction of the run");
    expect(() => at(signals.exponential(1, 0), 0)).toThrow("Use linear to reach 0");
    expect(() => at(signals.piecewise([0.5, 1], [0.2, 2]), 0)).toThrow("in order of progress");
    const pi = signals.pi({ of: "x", target: 1, initial: 1, gain: 1, integral: 0 });
    expect(() => at(signals.warmup(0.1, pi), 0)).toThrow("cannot be followed by pi");
  });
});

describe("controllers", () => {
  it("pi brings a plant to its set-point, and does not wind up against a bound", () => {
    const c = controller(
      signals.pi({ of: "y", target: 2, initial: 0, gain: 0.2, integral: 0.2, min: 0, max: 10 }) as never,
    );
    let u = c.initial;
    let y = 0;
    for (let i = 0; i < 200; i++) {
      y = 0.5 * y + 0.5 * (0.8 * u);
      u = c.observe!(y);
    }
    expect(y).toBeCloseTo(2, 2);
    const stuck = controller(
      signals.pi({ of: "y", target: 1, initial: 0, gain: 0, integral: 1, min: 0, max: 1 }) as never,
    );
    for (let i = 0; i < 100; i++) stuck.observe!(0);
    for (let i = 0; i < 3; i++) stuck.observe!(2);
    expect(stuck.observe!(2)).toBe(0);
  });
  it("multiplicative leaves its band alone and moves by its factor outside", () => {
    const c = controller(
      signals.multiplicative({
        of: "kl",
        target: 0.01,
        initial: 1,
        factor: 2,
        tolerance: 1.5,
        direction: 1,
        max: 3,
      }) as never,
    );
    expect(c.observe!(0.012)).toBe(1);
    expect(c.observe!(0.02)).toBe(2);
    expect(c.observe!(0.02)).toBe(3);
    expect(c.observe!(0.001)).toBe(1.5);
  });
  it("dual rises in proportion to the excess and never below 0", () => {
    const c = controller(signals.dual({ of: "cost", limit: 1, initial: 0, rate: 0.5 }) as never);
    expect(c.observe!(3)).toBe(1);
    expect(c.observe!(0)).toBe(0.5);
    expect(c.observe!(-5)).toBe(0);
    const floor = controller(
      signals.dual({ of: "entropy", limit: 1, initial: 1, rate: 1, direction: -1, log: true }) as never,
    );
    expect(floor.observe!(0)).toBeCloseTo(Math.E);
  });
  it("bandit settles on the best choice, and adapts when that changes", () => {
    const c = controller(
      signals.bandit({ of: "r", choices: [1, 2, 3], hold: 2, window: 30, exploration: 0.3 }) as never,
    );
    let chosen = c.initial;
    const play = (best: number, times: number) => {
      const counts = new Map<number, number>();
      for (let i = 0; i < times; i++) {
        chosen = c.observe!(chosen === best ? 1 : 0);
        counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
      }
      return counts;
    };
    expect(play(2, 200).get(2)).toBeGreaterThan(120);
    play(3, 200);
    expect(play(3, 100).get(3)).toBeGreaterThan(50);
  });
  it("quantile and average follow their statistic", () => {
    const q = controller(signals.quantile({ of: "g", q: 0.9, initial: 1, rate: 0.02 }) as never);
    let value = 0;
    for (let i = 0; i < 5000; i++) value = q.observe!((i * 0.618034) % 1);
    expect(value).toBeGreaterThan(0.82);
    expect(value).toBeLessThan(0.97);
    const a = controller(signals.average({ of: "g", initial: 0, decay: 0.5, scale: 2, offset: 1 }) as never);
    for (let i = 0; i < 40; i++) value = a.observe!(3);
    expect(value).toBeCloseTo(7);
  });
});

describe("Live", () => {
  it("is read by compiled functions without compiling again", () => {
    const live = new LiveValue("clip", signals.linear(1, 0));
    const double = compile((x: Tensor) => x.mul(live.tensor));
    const x = tensor([2]);
    expect(double(x).item()).toBe(2);
    live.update(0.5, new Statistics());
    expect(double(x).item()).toBe(1);
    live.set(3);
    live.update(0.9, new Statistics());
    expect(double(x).item()).toBe(6);
  });
  it("moves only on new measurements, of the run or of each task", () => {
    const s = new Statistics();
    const live = new LiveTask(
      "w",
      signals.dual({ of: "cost", limit: 0, initial: 0, rate: 1, scope: "task" }),
    );
    s.record("cost", 1);
    live.update(0, s);
    live.update(0, s);
    expect(live.shown).toBe(1);
    s.record("cost", 2, "hard");
    live.update(0, s);
    expect([live.for("hard"), live.for("easy")]).toEqual([2, 1]);
    s.record("cost", Number.NaN);
    s.record("cost", Number.NaN, "hard");
    live.update(0, s);
    expect([live.shown, live.for("hard")]).toEqual([1, 2]);
    live.set(5);
    expect([live.for("hard"), live.for("easy")]).toEqual([5, 5]);
  });
  it("gives columns at sample scope", () => {
    const live = new LiveColumn(
      "weight",
      signals.column((c) => (c.reward as Tensor).mul(2)),
    );
    expect(Array.from(live.over({ reward: tensor([1, 2]) }).data)).toEqual([2, 4]);
    expect(live.shown).toBeUndefined();
    expect(() => live.set(1)).toThrow("cannot be set during a run");
  });
  it("never uses the run's value for a task", () => {
    const live = new LiveColumn("w", signals.average({ of: "x", initial: 1, scope: "task" }));
    expect(() => live.over({ reward: tensor([1, 2]) })).toThrow("no column setting/w");
    expect(live.over({ "setting/w": tensor([3, 4]) }).data[1]).toBe(4);
  });
  it.each([
    signals.pi({ of: "m", target: 1, initial: 1, gain: 0.1, integral: 0.3 }),
    signals.multiplicative({ of: "m", target: 1, initial: 1, direction: -1 }),
    signals.dual({ of: "m", limit: 1, initial: 1, rate: 0.1 }),
    signals.bandit({ of: "m", choices: [1, 2, 3], hold: 3, window: 7 }),
    signals.quantile({ of: "m", q: 0.3, initial: 1 }),
    signals.average({ of: "m", initial: 1, scope: "task" }),
  ])("is restored exactly: %o", (signal) => {
    const s = new Statistics();
    const feed = (live: LiveTask, from: number, to: number) => {
      for (let i = from; i < to; i++) {
        s.record("m", Math.sin(i) + 1);
        s.record("m", Math.cos(i), "a");
        live.update(0, s);
      }
    };
    const straight = new LiveTask("x", signal);
    feed(straight, 0, 25);
    const copy = new LiveTask("x", signal);
    copy.restore(structuredClone(straight.save()));
    const shared = new Statistics();
    shared.restore(s.save());
    for (let i = 25; i < 60; i++)
      for (const [live, stats] of [
        [straight, s],
        [copy, shared],
      ] as const) {
        stats.record("m", Math.sin(i) + 1);
        stats.record("m", Math.cos(i), "a");
        live.update(0, stats);
      }
    expect([copy.shown, copy.for("a")]).toEqual([straight.shown, straight.for("a")]);
  });
});
