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

/** A bound of ratios that may move, in steps. */
export interface MovingBound {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Settings of {@link balanced}. */
export interface BalancedOptions {
  /** Share of the gradient that good actions are to have (default 0.5). Higher moves the bounds further (0.4 to 0.5). */
  readonly share?: number;
  /** Below it bad actions are left alone. It moves last (default 0.6 to 0.9). */
  readonly low?: MovingBound;
  /** Above it good actions are left alone. It moves first (default 1.2 to 3). */
  readonly high?: MovingBound;
}

/**
 * Clipping whose bounds move in every minibatch until good actions have their share of the gradient: first the upper one, which lets rare
 * good actions grow, then the lower one, which leaves bad ones alone that have become rare (BAPO, Xi et al., 2025). An action's part of
 * the gradient is its ratio times its advantage, or nothing where it is clipped. Reports `policy/low`, `policy/high` and `policy/good`, the
 * share before the bounds move.
 */
export function balanced(options: BalancedOptions = {}): Ratio {
  const { share = 0.5, low = { from: 0.6, to: 0.9, step: 0.05 } } = options;
  const { high = { from: 1.2, to: 3, step: 0.05 } } = options;
  // The bounds that are tried, one after the other.
  const [upwards, afterwards] = [stepsOf(high), stepsOf(low)];
  const lows = [...upwards.map(() => low.from), ...afterwards.slice(1)];
  const highs = [...upwards, ...afterwards.slice(1).map(() => high.to)];
  return (ratio, advantage, columns, _, report) => {
    const alive = columns.alive as Tensor | undefined;
    const all = abs(mul(ratio, advantage));
    const flat = (x: Tensor) => reshape(stopGradient(x), [1, x.size]);
    const [r, a, mass] = [flat(ratio), flat(advantage), flat(alive ? where(alive, all, 0) : all)];
    const total = (which: Tensor) => sum(where(which, mass, 0), 1);
    const column = (bounds: readonly number[]) => tensor(bounds.map((b) => [b]));
    const good = total(and(gt(a, 0), le(r, column(highs))));
    const bad = total(and(lt(a, 0), ge(r, column(lows))));
    // Good never falls and bad never rises from one try to the next, so bounds move once for every try that does not suffice.
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

/** Every value that a bound takes, the last one exactly. */
function stepsOf({ from, to, step }: MovingBound): number[] {
  if (!(step > 0 && from <= to))
    fail("balanced", `a bound cannot move from ${from} to ${to} in steps of ${step}. Steps go upwards.`);
  const count = Math.ceil((to - from) / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => (i === count ? to : from + i * step));
}
