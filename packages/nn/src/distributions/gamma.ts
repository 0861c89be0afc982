import {
  add,
  broadcastTo,
  digamma,
  div,
  lgamma,
  log,
  maximum,
  mul,
  random,
  sub,
  sum,
  type Tensor,
} from "@reins/tensor";
import type { Distribution } from "./distribution.ts";

/** Parameters of {@link gamma}. */
export interface GammaOptions {
  /** The shape, above 0: higher is more like a normal distribution. */
  concentration: Tensor;
  /** The inverse of the scale, above 0: higher gives smaller numbers. */
  rate: Tensor;
}

/** What {@link gamma} returns. */
export interface Gamma extends Distribution {
  readonly concentration: Tensor;
  readonly rate: Tensor;
  mean(): Tensor;
}

/** Positive numbers, independent on the last axis. Entropy and KL are exact; samples carry a gradient to the rate only. */
export function gamma({ concentration: a, rate }: GammaOptions): Gamma {
  const b = broadcastTo(rate, a.shape);
  return {
    concentration: a,
    rate: b,
    sample: (key) => div(random.gamma(key, a), b),
    logProb: (x) => sum(sub(sub(add(mul(a, log(b)), mul(sub(a, 1), log(x))), mul(b, x)), lgamma(a)), -1),
    mode: () => div(maximum(sub(a, 1), 0), b),
    mean: () => div(a, b),
    entropy: () => sum(add(add(sub(a, log(b)), lgamma(a)), mul(sub(1, a), digamma(a))), -1),
    kl({ concentration: c, rate: d }) {
      const shape = add(mul(sub(a, c), digamma(a)), sub(lgamma(c), lgamma(a)));
      return sum(add(add(shape, mul(c, sub(log(b), log(d)))), mul(a, sub(div(d, b), 1))), -1);
    },
  };
}
