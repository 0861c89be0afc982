import { real } from "@reins/tensor";
import type { Controller } from "../signal.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Mechanism } from "./mechanism.ts";

/** The mechanism of a controller. */
export function controller(c: Controller): Mechanism {
  switch (c.signal) {
    case "pi":
      return proportionalIntegral(c);
    case "multiplicative":
      return multiplicative(c);
    case "dual":
      return dualAscent(c);
    case "bandit":
      return choice(c);
    case "quantile":
      return quantileTracker(c);
    case "average":
      return averageTracker(c);
  }
}

type Of<K> = Extract<Controller, { signal: K }>;

const clampTo = (c: { min?: number; max?: number }, x: number) =>
  Math.min(c.max ?? Number.POSITIVE_INFINITY, Math.max(c.min ?? Number.NEGATIVE_INFINITY, x));

/** State that is one number. */
const held = (read: () => number, write: (x: number) => void) => ({
  save: (): Snapshot => read(),
  restore: (from: Snapshot) => write(from as number),
});

function proportionalIntegral(c: Of<"pi">): Mechanism {
  let sum = 0;
  return {
    initial: c.initial,
    observe(measured) {
      const error = c.log ? (c.target - measured) / Math.abs(c.target || 1) : c.target - measured;
      const move = c.gain * error + c.integral * (sum + error);
      const value = c.log ? c.initial * real.exp(move) : c.initial + move;
      const bounded = clampTo(c, value);
      // Anti-windup: an error that only pushes further against a bound is not accumulated.
      if (bounded === value || Math.sign(error) !== Math.sign(sum)) sum += error;
      return bounded;
    },
    ...held(
      () => sum,
      (x) => (sum = x),
    ),
  };
}

function multiplicative(c: Of<"multiplicative">): Mechanism {
  const { factor = 1.5, tolerance = 1.5 } = c;
  let value = c.initial;
  return {
    initial: c.initial,
    observe(measured) {
      const push =
        measured > c.target * tolerance ? c.direction : measured < c.target / tolerance ? -c.direction : 0;
      value = clampTo(c, value * real.pow(factor, push));
      return value;
    },
    ...held(
      () => value,
      (x) => (value = x),
    ),
  };
}

function dualAscent(c: Of<"dual">): Mechanism {
  const { direction = 1 } = c;
  let value = c.initial;
  return {
    initial: c.initial,
    observe(measured) {
      const excess = direction * (measured - c.limit);
      value = c.log ? value * real.exp(c.rate * excess) : Math.max(0, value + c.rate * excess);
      value = clampTo(c, value);
      return value;
    },
    ...held(
      () => value,
      (x) => (value = x),
    ),
  };
}

/** Upper confidence bounds over the last `window` trials (Garivier and Moulines, 2011), because the best choice may change. */
function choice(c: Of<"bandit">): Mechanism {
  const { choices, hold = 10, window = 50, exploration = 1, reward = "level" } = c;
  const state = { arm: 0, held: 0, sum: 0, first: Number.NaN, trials: [] as [number, number][] };
  const pick = () => {
    const stats = choices.map((_, arm) => state.trials.filter(([a]) => a === arm).map(([, r]) => r));
    const untried = stats.findIndex((s) => s.length === 0);
    if (untried >= 0) return untried;
    const all = state.trials.map(([, r]) => r);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const score = stats.map((s) => {
      const mean = s.reduce((a, b) => a + b, 0) / s.length;
      const unit = high > low ? (mean - low) / (high - low) : 0.5;
      return unit + exploration * Math.sqrt(real.log(all.length) / s.length);
    });
    return score.indexOf(Math.max(...score));
  };
  return {
    initial: choices[0],
    observe(measured) {
      if (state.held === 0) state.first = measured;
      state.held++;
      state.sum += measured;
      if (state.held >= hold) {
        const armReward = reward === "progress" ? measured - state.first : state.sum / state.held;
        state.trials.push([state.arm, armReward]);
        if (state.trials.length > window) state.trials.shift();
        state.arm = pick();
        state.held = 0;
        state.sum = 0;
      }
      return choices[state.arm];
    },
    save: () => ({ ...state, trials: state.trials.map((t) => [...t]) }),
    restore: (from) => {
      const s = from as typeof state;
      Object.assign(state, s, { trials: s.trials.map(([a, r]) => [a, r]), first: s.first ?? Number.NaN });
    },
  };
}

/** Stochastic approximation: up when the measurement is above, down when it is below, in the ratio of the quantile. */
function quantileTracker(c: Of<"quantile">): Mechanism {
  const { q, rate = 0.05, scale = 1 } = c;
  let tracked = c.initial;
  return {
    initial: clampTo(c, c.initial * scale),
    observe(measured) {
      const step = rate * Math.max(Math.abs(tracked), 1e-8);
      tracked += measured > tracked ? step * q : -step * (1 - q);
      return clampTo(c, tracked * scale);
    },
    ...held(
      () => tracked,
      (x) => (tracked = x),
    ),
  };
}

function averageTracker(c: Of<"average">): Mechanism {
  const { decay = 0.95, scale = 1, offset = 0 } = c;
  let tracked = c.initial;
  return {
    initial: clampTo(c, c.initial * scale + offset),
    observe(measured) {
      tracked = decay * tracked + (1 - decay) * measured;
      return clampTo(c, tracked * scale + offset);
    },
    ...held(
      () => tracked,
      (x) => (tracked = x),
    ),
  };
}
