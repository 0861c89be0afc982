import {
  add,
  and,
  broadcastTo,
  clamp,
  digamma,
  div,
  gt,
  lgamma,
  log,
  log1p,
  lt,
  maximum,
  mul,
  neg,
  or,
  random,
  sub,
  sum,
  type Tensor,
  type TensorLike,
  where,
} from "@reins/tensor";
import type { Distribution } from "./distribution.ts";

/** Parameters of {@link beta}. */
export interface BetaOptions {
  /** Above 0: higher pulls towards `high`. Keep it above 1 (1 + softplus) for a unimodal distribution. */
  alpha: Tensor;
  /** Above 0: higher pulls towards `low`. */
  beta: Tensor;
  /** Lower bound, a number or one per dimension (default 0). */
  low?: TensorLike;
  /** Upper bound (default 1). */
  high?: TensorLike;
}

/** Return type of {@link beta}. */
export interface Beta extends Distribution {
  readonly alpha: Tensor;
  readonly beta: Tensor;
  mean(): Tensor;
}

/** The smallest positive normal number, and the largest number below 1. */
const [first, last] = [2 ** -126, 1 - 2 ** -24];

/** log B(a, b), the normaliser. */
const logBeta = (a: Tensor, b: Tensor) => sub(add(lgamma(a), lgamma(b)), lgamma(add(a, b)));

/**
 * Numbers between two bounds, independent on the last axis. Entropy and KL are exact (KL between equal bounds). `mode` is the
 * mean without a single peak. Samples have no gradient to alpha and beta: use log-probabilities. At a bound the log-probability
 * is that of the nearest number inside, and finite; outside it is -∞.
 */
export function beta({ alpha: a, beta: given, low = 0, high = 1 }: BetaOptions): Beta {
  const b = broadcastTo(given, a.shape);
  const unit = low === 0 && high === 1;
  const width = unit ? 1 : sub(high, low);
  const stretch = (x: Tensor) => (unit ? x : add(mul(x, width), low));
  const middle = div(a, add(a, b));
  return {
    alpha: a,
    beta: b,
    sample: (key) => stretch(random.beta(key, a, b)),
    logProb(x) {
      // The density may be infinite at a bound, and samples can round to a bound.
      const y = clamp(unit ? x : div(sub(x, low), width), first, last);
      const inside = sub(add(mul(sub(a, 1), log(y)), mul(sub(b, 1), log1p(neg(y)))), logBeta(a, b));
      // A scaled sample may round to slightly above the upper bound.
      const beyond = or(lt(x, low), gt(x, unit ? 1 : maximum(high, add(width, low))));
      const density = where(beyond, -Infinity, inside);
      return sum(unit ? density : sub(density, log(width)), -1);
    },
    mode() {
      const peaked = and(gt(a, 1), gt(b, 1));
      return stretch(where(peaked, div(sub(a, 1), where(peaked, sub(add(a, b), 2), 1)), middle));
    },
    mean: () => stretch(middle),
    entropy() {
      const sides = add(mul(sub(a, 1), digamma(a)), mul(sub(b, 1), digamma(b)));
      const h = sub(add(logBeta(a, b), mul(sub(add(a, b), 2), digamma(add(a, b)))), sides);
      return sum(unit ? h : add(h, log(width)), -1);
    },
    kl({ alpha: c, beta: d }) {
      const sides = add(mul(sub(a, c), digamma(a)), mul(sub(b, d), digamma(b)));
      const total = mul(sub(add(c, d), add(a, b)), digamma(add(a, b)));
      return sum(add(sub(logBeta(c, d), logBeta(a, b)), add(sides, total)), -1);
    },
  };
}
