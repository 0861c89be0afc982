import { add, div, mean, mul, ones, scalar, sqrt, square, sub, type Tensor, zeros } from "@reins/tensor";
import type { StatefulLayer } from "../layer.ts";

/** Mean and variance of all rows so far, and their number (f32). */
export type RunningNormStatistics = { mean: Tensor; variance: Tensor; count: Tensor };

/** Zero mean and unit variance of each feature over all rows seen in training, equally weighted. It has no trained parameters. */
export function runningNorm(
  width: number,
  epsilon = 1e-8,
): StatefulLayer<Record<string, never>, RunningNormStatistics> {
  const apply = (s: RunningNormStatistics, x: Tensor) => div(sub(x, s.mean), sqrt(add(s.variance, epsilon)));
  return {
    init: () => ({}),
    // A small initial count, so that nothing is divided by 0.
    start: () => ({ mean: zeros([width]), variance: ones([width]), count: scalar(1e-4) }),
    learn(_, s, x) {
      const middle = mean(x, 0);
      const off = sub(middle, s.mean);
      const total = add(s.count, x.shape[0]);
      const share = div(x.shape[0], total);
      // The variances of both parts, and that of their means (Chan et al., 1979).
      const within = add(mul(s.variance, sub(1, share)), mul(mean(square(sub(x, middle)), 0), share));
      const statistics = {
        mean: add(s.mean, mul(off, share)),
        variance: add(within, mul(square(off), mul(share, sub(1, share)))),
        count: total,
      };
      return { output: apply(statistics, x), statistics };
    },
    apply: (_, s, x) => apply(s, x),
  };
}
