import {
  add,
  cast,
  div,
  exp,
  expm1,
  gt,
  maximum,
  mul,
  neg,
  real,
  sqrt,
  square,
  sub,
  type Tensor,
  where,
} from "@reins/tensor";
import { type DecayOptions, elementwise, flush, type Optimiser } from "./optimiser.ts";

/** Settings of {@link rAdam}. */
export interface RAdamOptions extends DecayOptions {
  /** Learning rate. Higher learns faster until it diverges (1e-5 to 1e-3). */
  learningRate?: number;
  /** Decay of the first moment. Higher is smoother (0.9). */
  beta1?: number;
  /** Decay of the second moment. Higher is smoother (0.95 to 0.999). */
  beta2?: number;
  /** Added to the root. Higher damps parameters with small gradients (1e-8). */
  epsilon?: number;
}

/**
 * Rectified Adam (Liu et al., "On the Variance of the Adaptive Learning Rate and Beyond", 2020): steps are smaller than Adam's while
 * the second moment is uncertain, so that no warm-up is needed; the first steps are plain momentum.
 */
export function rAdam(options: RAdamOptions = {}): Optimiser {
  const { learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, ...decay } = options;
  /** Length of the averaging window of the second moment in the limit. */
  const most = 2 / (1 - beta2) - 1;
  return elementwise("rAdam", {
    slots: ["mean", "square"],
    learningRate,
    decay,
    prepare(step, rate) {
      const count = cast(step, "f32");
      /** 1 - betaᵗ. */
      const known = (beta: number): Tensor => neg(expm1(mul(count, real.log(beta))));
      const faded = exp(mul(count, real.log(beta2)));
      // The current length of the averaging window.
      const memory = sub(most, div(mul(mul(count, 2), faded), known(beta2)));
      const trusted = gt(memory, 5);
      const safe = maximum(memory, 5);
      const ratio = div(mul(sub(safe, 4), sub(safe, 2)), mul(safe, ((most - 4) * (most - 2)) / most));
      const scale = sqrt(mul(ratio, known(beta2)));
      const stride = div(rate, known(beta1));
      return (p, gradient, [mean, squares], weightDecay) => {
        const g = weightDecay ? add(gradient, mul(p, weightDecay)) : gradient;
        const m = flush(add(mul(mean, beta1), mul(g, 1 - beta1)));
        const v = flush(add(mul(squares, beta2), mul(square(g), 1 - beta2)));
        const factor = where(trusted, div(scale, add(sqrt(v), epsilon)), 1);
        return [sub(p, mul(mul(stride, m), factor)), m, v];
      };
    },
  });
}
