import {
  add,
  and,
  broadcastTo,
  digamma,
  div,
  eq,
  lgamma,
  log,
  lt,
  maximum,
  mul,
  random,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import type { Distribution } from "./distribution.ts";

/** Parameters of {@link gamma}. */
export interface GammaOptions {
  /** The shape, above 0: higher is more like a normal distribution. */
  concentration: Tensor;
  /** The inverse of the scale, above 0: higher gives smaller numbers. */
  rate: Tensor;
}

/** Return type of {@link gamma}. */
export interface Gamma extends Distribution {
  readonly concentration: Tensor;
  readonly rate: Tensor;
  mean(): Tensor;
}

/** Positive numbers, independent on the last axis; the log-probability below 0 is -∞. Entropy and KL are exact; samples have a gradient to the rate only. */
export function gamma({ concentration: a, rate }: GammaOptions): Gamma {
  const b = broadcastTo(rate, a.shape);
  return {
    concentration: a,
    rate: b,
    sample: (key) => div(random.gamma(key, a), b),
    logProb(x) {
      // With concentration 1 it is an exponential distribution, in which 0 is a regular value: 0 · log 0 is 0.
      const safe = where(and(eq(a, 1), eq(x, 0)), 1, x);
      const density = sub(sub(add(mul(a, log(b)), mul(sub(a, 1), log(safe))), mul(b, x)), lgamma(a));
      return sum(where(lt(x, 0), -Infinity, density), -1);
    },
    mode: () => div(maximum(sub(a, 1), 0), b),
    mean: () => div(a, b),
    entropy: () => sum(add(add(sub(a, log(b)), lgamma(a)), mul(sub(1, a), digamma(a))), -1),
    kl({ concentration: c, rate: d }) {
      const shape = add(mul(sub(a, c), digamma(a)), sub(lgamma(c), lgamma(a)));
      return sum(add(add(shape, mul(c, sub(log(b), log(d)))), mul(a, sub(div(d, b), 1))), -1);
    },
  };
}
