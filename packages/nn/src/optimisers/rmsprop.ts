import { add, div, maximum, mul, sqrt, square, sub } from "@reins/tensor";
import { type DecayOptions, elementwise, flush, type Optimiser } from "./optimiser.ts";

/** Settings of {@link rmsProp}. */
export interface RmsPropOptions extends DecayOptions {
  /** Learning rate (1e-4 to 1e-2). */
  learningRate?: number;
  /** Decay of the mean square. Higher is smoother (0.9 to 0.99; default 0.99). */
  alpha?: number;
  /** Added to the root. Higher damps parameters with small gradients (1e-8 to 1e-5). */
  epsilon?: number;
  /** Momentum (0 to 0.95; default 0). */
  momentum?: number;
  /** Divides by the standard deviation instead of the root mean square. */
  centred?: boolean;
}

/** RMSProp (Tieleman and Hinton, 2012), as in PyTorch. */
export function rmsProp(options: RmsPropOptions = {}): Optimiser {
  const {
    learningRate = 1e-2,
    alpha = 0.99,
    epsilon = 1e-8,
    momentum = 0,
    centred = false,
    ...decay
  } = options;
  const slots = ["square", ...(momentum ? ["momentum"] : []), ...(centred ? ["mean"] : [])];
  return elementwise("rmsProp", {
    slots,
    learningRate,
    decay,
    prepare: (_, rate) => (p, gradient, given, weightDecay) => {
      const before = Object.fromEntries(slots.map((s, i) => [s, given[i]]));
      const g = weightDecay ? add(gradient, mul(p, weightDecay)) : gradient;
      const squares = flush(add(mul(before.square, alpha), mul(square(g), 1 - alpha)));
      const mean = centred ? flush(add(mul(before.mean, alpha), mul(g, 1 - alpha))) : undefined;
      // Rounding may leave a variance just below 0.
      const spread = mean ? maximum(sub(squares, square(mean)), 0) : squares;
      const scaled = div(g, add(sqrt(spread), epsilon));
      const m = momentum ? flush(add(mul(before.momentum, momentum), scaled)) : undefined;
      return [sub(p, mul(m ?? scaled, rate)), squares, ...(m ? [m] : []), ...(mean ? [mean] : [])];
    },
  });
}
