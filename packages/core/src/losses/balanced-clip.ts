import {
  abs,
  add,
  and,
  cast,
  clamp,
  ge,
  gt,
  le,
  lt,
  maximum,
  mul,
  neg,
  reshape,
  slice,
  stopGradient,
  sum,
  type Tensor,
  tensor,
  where,
} from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Ratio } from "./policy-gradient.ts";

/** A bound of importance ratios that moves in steps. */
export interface MovingBound {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Settings of {@link balanced}. */
export interface BalancedOptions {
  /** Target share of the gradient for actions with a positive advantage (default 0.5). Higher moves the bounds further (0.4 to 0.5). */
  readonly share?: number;
  /** Ratio below which actions with a negative advantage are clipped. It moves last (default 0.6 to 0.9). */
  readonly low?: MovingBound;
  /** Ratio above which actions with a positive advantage are clipped. It moves first (default 1.2 to 3). */
  readonly high?: MovingBound;
}

/**
 * Clipping whose bounds move in every minibatch until actions with a positive advantage have their share of the gradient: first the upper
 * bound, so that rare good actions can grow, then the lower one, so that bad actions that are already rare are clipped (BAPO, Xi et al.,
 * 2025). An action's part of the gradient is its ratio times its advantage, or 0 if it is clipped. Reports `policy/low`, `policy/high` and
 * `policy/good`, the share before the bounds move.
 */
export function balanced(options: BalancedOptions = {}): Ratio {
  const { share = 0.5, low = { from: 0.6, to: 0.9, step: 0.05 } } = options;
  const { high = { from: 1.2, to: 3, step: 0.05 } } = options;
  // The bounds to try, in order.
  const [upwards, afterwards] = [stepsOf(high), stepsOf(low)];
  const lows = [...upwards.map(() => low.from), ...afterwards.slice(1)];
  const highs = [...upwards, ...afterwards.slice(1).map(() => high.to)];
  return ({ ratio, advantage, columns, report }) => {
    const alive = columns.alive as Tensor | undefined;
    const all = abs(mul(ratio, advantage));
    const flat = (x: Tensor) => reshape(stopGradient(x), [1, x.size]);
    const [r, a, mass] = [flat(ratio), flat(advantage), flat(alive ? where(alive, all, 0) : all)];
    const total = (which: Tensor) => sum(where(which, mass, 0), 1);
    const column = (bounds: readonly number[]) => tensor(bounds.map((b) => [b]));
    const good = total(and(gt(a, 0), le(r, column(highs))));
    const bad = total(and(lt(a, 0), ge(r, column(lows))));
    // From one try to the next the good part never falls and the bad part never rises, so bounds move once per insufficient try.
    const lacks = cast(lt(mul(good, 1 - share), mul(bad, share)), "f32");
    const moved = (bounds: readonly number[]) => {
      const steps = bounds.map((b, i) => (bounds[i + 1] ?? b) - b);
      return add(sum(mul(lacks, tensor(steps))), bounds[0]);
    };
    const [least, most] = [moved(lows), moved(highs)];
    report?.("policy/low", least);
    report?.("policy/high", most);
    const [first, against] = [good, bad].map((x) => sum(slice(x, [[0, 1]])));
    report?.("policy/good", first.div(maximum(add(first, against), 1e-8)));
    return maximum(neg(mul(ratio, advantage)), neg(mul(clamp(ratio, least, most), advantage)));
  };
}

/** All values of a bound, ending exactly at `to`. */
function stepsOf({ from, to, step }: MovingBound): number[] {
  if (!(step > 0 && from <= to))
    fail(
      "balanced",
      `a bound cannot move from ${from} to ${to} in steps of ${step}. Use from < to and a positive step.`,
    );
  const count = Math.ceil((to - from) / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => (i === count ? to : from + i * step));
}
