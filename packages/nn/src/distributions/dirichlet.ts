import {
  add,
  clamp,
  digamma,
  div,
  expandDims,
  gt,
  lgamma,
  log,
  lt,
  min,
  mul,
  random,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import type { Distribution } from "./distribution.ts";

/** Parameters of {@link dirichlet}. */
export interface DirichletOptions {
  /** One concentration above 0 per share, on the last axis; higher totals vary less. */
  concentration: Tensor;
}

/** Return type of {@link dirichlet}. */
export interface Dirichlet extends Distribution {
  readonly concentration: Tensor;
  mean(): Tensor;
}

/**
 * Shares that sum to 1 along the last axis. Entropy and KL are exact. `mode` is the mean unless all concentrations exceed 1. Samples have
 * no gradient. Log-probabilities are finite: samples of low concentrations round to 0, and a share below 1e-30 counts as 1e-30. With a
 * negative share the log-probability is -∞.
 */
export function dirichlet({ concentration: a }: DirichletOptions): Dirichlet {
  const total = sum(a, -1);
  const wide = expandDims(total, -1);
  const count = a.shape[a.rank - 1];
  const normaliser = sub(sum(lgamma(a), -1), lgamma(total));
  const share = div(a, wide);
  return {
    concentration: a,
    sample: (key) => random.dirichlet(key, a),
    logProb(x) {
      const terms = mul(sub(a, 1), log(clamp(x, 1e-30, 1)));
      return sub(sum(where(lt(x, 0), -Infinity, terms), -1), normaliser);
    },
    mode() {
      const peaked = gt(min(a, { axis: -1, keepDims: true }), 1);
      return where(peaked, div(sub(a, 1), where(peaked, sub(wide, count), 1)), share);
    },
    mean: () => share,
    entropy: () =>
      sub(add(normaliser, mul(sub(total, count), digamma(total))), sum(mul(sub(a, 1), digamma(a)), -1)),
    kl({ concentration: c }) {
      const other = sub(sum(lgamma(c), -1), lgamma(sum(c, -1)));
      const gaps = mul(sub(a, c), sub(digamma(a), digamma(wide)));
      return add(sub(other, normaliser), sum(gaps, -1));
    },
  };
}
