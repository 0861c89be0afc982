import {
  add,
  broadcastTo,
  clamp,
  div,
  eq,
  log1p,
  maximum,
  minimum,
  mul,
  neg,
  reshape,
  sub,
  type Tensor,
  type Tree,
  tanh,
  tensor,
  where,
  zeros,
} from "@reins/tensor";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";
import type { Box } from "../space.ts";
import { boundAt } from "../spaces/bounds.ts";
import type { ActionDistribution, Head, HeadOptions } from "./head.ts";
import { lastAxis } from "./last-axis.ts";
import { correlatedNoise, type NormalNoise, stateDependentNoise } from "./noise.ts";
import { squashed } from "./squashed-normal.ts";

/** Centre and half width of a bounded box, as rows; 0 and 1 for elements without bounds. */
export function rangeOf(space: Box): { middle: Tensor; half: Tensor } {
  const ends = endsOf(space);
  return {
    middle: tensor(ends.map(([l, h]) => (bounded(l, h) ? (l + h) / 2 : 0))),
    half: tensor(ends.map(([l, h]) => (bounded(l, h) ? (h - l) / 2 : 1))),
  };
}

/**
 * Maps actions between -1 and 1 to the bounds of a box. In f32, `half + middle` exceeds about a third of all bounds by a rounding error,
 * and environments reject such actions: they are clipped, but only where that happens.
 */
export function stretchTo(space: Box): (unit: Tensor) => Tensor {
  const ends = endsOf(space);
  const { middle, half } = rangeOf(space);
  const limits = ends.map(([l, h]) => (bounded(l, h) ? [l, h] : [-Infinity, Infinity]).map(Math.fround));
  const rounds = limits.some(
    ([l, h], i) =>
      Math.fround(middle.data[i] - half.data[i]) < l || Math.fround(middle.data[i] + half.data[i]) > h,
  );
  const [lows, highs] = [0, 1].map((side) => tensor(limits.map((pair) => pair[side])));
  return (unit) => {
    const x = add(mul(unit, half), middle);
    return rounds ? minimum(maximum(x, lows), highs) : x;
  };
}

/** Maps executed actions of a box, in its shape, to rows between -1 and 1. */
function shrinkFrom(space: Box): (action: Tree) => Tensor {
  const { middle, half } = rangeOf(space);
  // An element whose bounds are equal is 0, not 0 / 0.
  const width = where(eq(half, 0), 1, half);
  return (action) => {
    const { shape } = action as Tensor;
    const leading = shape.slice(0, shape.length - space.shape.length);
    return div(sub(reshape(action as Tensor, [...leading, half.size]), middle), width);
  };
}

/** The inverse of tanh; actions at a bound, whose inverse is infinite, count as close to it. */
function unsquashed(unit: Tensor): Tensor {
  const x = clamp(unit, -1 + 1e-6, 1 - 1e-6);
  return mul(sub(log1p(x), log1p(neg(x))), 0.5);
}

/** The head of a box: raw actions have bounds of ±1, which are scaled to the box's bounds when they are executed. */
export function continuousHead(space: Box, options: HeadOptions): Head {
  const { continuous = "normal", noise = "independent" } = options;
  const ends = endsOf(space);
  const toBounds = stretchTo(space);
  const toUnit = shrinkFrom(space);
  const free = ends.map(([l, h]) => !bounded(l, h));
  if (continuous !== "normal" && free.includes(true))
    fail(
      "policy",
      `"${continuous}" actions need bounds, but element ${free.indexOf(true)} of this box has none. Use "normal".`,
    );
  const stretch = (unit: Tensor) => {
    const x = toBounds(unit);
    return reshape(x, [...x.shape.slice(0, -1), ...space.shape]);
  };
  if (continuous === "beta") {
    if (noise !== "independent")
      fail("policy", `${noise} noise needs normal actions, not "beta". Use "normal" or "tanh".`);
    return betaHead(ends.length, stretch, toUnit);
  }
  const kind =
    noise === "correlated"
      ? correlatedNoise(ends.length, options)
      : noise === "state-dependent"
        ? stateDependentNoise(ends.length, options)
        : independent(ends.length, options);
  const open = tensor(free);
  const within = (raw: Tensor) => where(broadcastTo(open, raw.shape), raw, clamp(raw, -1, 1));
  // Elements with one bound are clipped there, those without bounds never.
  const oneSided = ends.some(([l, h]) => Number.isFinite(l) !== Number.isFinite(h));
  const [lows, highs] = [0, 1].map((side) => tensor(ends.map((e, i) => (free[i] ? e[side] : 2 * side - 1))));
  const clip = oneSided ? (raw: Tensor) => minimum(maximum(within(raw), lows), highs) : within;
  return {
    outputs: ends.length,
    init: kind.init,
    distribution(params, mean, circumstances = {}) {
      const normal = kind.normal(params, mean, circumstances);
      return (
        continuous === "tanh" ? squashed(normal) : nn.distributions.normal(normal)
      ) as ActionDistribution;
    },
    execute: (raw) => stretch(continuous === "tanh" ? tanh(raw as Tensor) : clip(raw as Tensor)),
    recover: (action) => (continuous === "tanh" ? unsquashed(toUnit(action)) : toUnit(action)),
    maps: true,
    carried: kind.carried,
  };
}

/** Independent noise at every step, with a learned standard deviation per element. */
function independent(actions: number, { logStd = 0 }: HeadOptions): NormalNoise {
  return {
    init: () => ({ logStd: zeros([actions]).set(logStd) }),
    normal: (params, mean) => ({
      mean,
      logStd: broadcastTo((params as { logStd: Tensor }).logStd, mean.shape),
    }),
  };
}

function betaHead(
  actions: number,
  stretch: (unit: Tensor) => Tensor,
  toUnit: (action: Tree) => Tensor,
): Head {
  // Both above 1: one peak, away from the bounds.
  const above = (x: Tensor) => add(nn.activation("softplus")(x), 1);
  return {
    outputs: 2 * actions,
    init: () => ({}),
    distribution: (_, x) =>
      nn.distributions.beta({
        alpha: above(lastAxis(x, 0, actions)),
        beta: above(lastAxis(x, actions, 2 * actions)),
        low: -1,
        high: 1,
      }) as ActionDistribution,
    execute: (raw) => stretch(raw as Tensor),
    recover: toUnit,
    maps: true,
  };
}

const bounded = (low: number, high: number) => Number.isFinite(low) && Number.isFinite(high);

function endsOf({ shape, low, high }: Box): [number, number][] {
  const count = shape.reduce((a, b) => a * b, 1);
  return Array.from({ length: count }, (_, i) => [boundAt(low, i), boundAt(high, i)]);
}
