import {
  add,
  clamp,
  div,
  ge,
  mean,
  mul,
  ones,
  scalar,
  sqrt,
  square,
  stopGradient,
  sub,
  type Tensor,
  where,
  zeros,
} from "@reins/tensor";
import type { StatefulLayer } from "../layer.ts";

/** Scale and shift of a batch norm. */
export type BatchNormParams = { scale: Tensor; shift: Tensor };
/** Running mean and variance of each feature, and the number of batches (i32). */
export type BatchNormStatistics = { mean: Tensor; variance: Tensor; batches: Tensor };

/** Settings of {@link batchNorm}. */
export interface BatchNormOptions {
  /** Decay of the running statistics; higher is smoother (0.9 to 0.999). */
  momentum?: number;
  /** Added to variances; higher damps features with low variance (1e-5 to 1e-3). */
  epsilon?: number;
  /**
   * Batches after which a batch's statistics are corrected towards the running ones (batch renormalisation; default never).
   * Corrections are at most a factor of 3 and 5 standard deviations.
   */
  renormAfter?: number;
}

/** Maximum corrections of scale and shift (Ioffe, 2017). */
const [most, furthest] = [3, 5];

/**
 * Zero mean and unit variance of each feature, over the batch in training and by running statistics otherwise; then a learned scale and
 * shift (Ioffe and Szegedy, 2015). With `renormAfter`, training uses nearly the same statistics as inference (Ioffe, 2017).
 */
export function batchNorm(
  width: number,
  { momentum = 0.99, epsilon = 1e-3, renormAfter = Number.POSITIVE_INFINITY }: BatchNormOptions = {},
): StatefulLayer<BatchNormParams, BatchNormStatistics> {
  const spread = (variance: Tensor) => sqrt(add(variance, epsilon));
  const follow = (old: Tensor, seen: Tensor) =>
    add(mul(old, momentum), mul(stopGradient(seen), 1 - momentum));
  const placed = ({ scale, shift }: BatchNormParams, x: Tensor) => add(mul(x, scale), shift);
  return {
    init: () => ({ scale: ones([width]), shift: zeros([width]) }),
    start: () => ({ mean: zeros([width]), variance: ones([width]), batches: scalar(0, "i32") }),
    learn(params, statistics, x) {
      const middle = mean(x, 0);
      const centred = sub(x, middle);
      const variance = mean(square(centred), 0);
      const own = div(centred, spread(variance));
      const seen = {
        mean: follow(statistics.mean, middle),
        variance: follow(statistics.variance, variance),
        batches: add(statistics.batches, 1),
      };
      if (renormAfter === Number.POSITIVE_INFINITY) return { output: placed(params, own), statistics: seen };
      const warm = ge(statistics.batches, renormAfter);
      const usual = spread(statistics.variance);
      const factor = clamp(stopGradient(div(spread(variance), usual)), 1 / most, most);
      const offset = clamp(stopGradient(div(sub(middle, statistics.mean), usual)), -furthest, furthest);
      const corrected = add(mul(own, where(warm, factor, 1)), where(warm, offset, 0));
      return { output: placed(params, corrected), statistics: seen };
    },
    apply: (params, statistics, x) =>
      placed(params, div(sub(x, statistics.mean), spread(statistics.variance))),
  };
}
