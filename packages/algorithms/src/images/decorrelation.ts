import {
  add,
  clamp,
  cos,
  div,
  iota,
  matmul,
  mean,
  mul,
  ne,
  random,
  reshape,
  scan,
  softmax,
  sqrt,
  square,
  stopGradient,
  sub,
  sum,
  type Tensor,
  transpose,
  valueAndGradient,
  where,
  zeros,
} from "@reins/tensor";
import type { AuxiliaryTraining } from "./auxiliary-training.ts";

/** Settings of the sample weighting that makes features independent. */
export interface DecorrelationOptions {
  /** Random Fourier features per feature. More detects more kinds of dependence (1 to 5). */
  readonly waves?: number;
  /** Gradient steps on the sample weights. */
  readonly steps?: number;
  /** Penalty on uneven weights. Higher keeps more samples in use (0.01 to 0.3). */
  readonly even?: number;
  /** Step size in log-weights. Higher decorrelates more, until it overshoots (0.3 to 10). */
  readonly rate?: number;
}

/**
 * Sample weights under which features depend less on each other: gradient descent on the squared correlations of
 * all pairs of features, mapped through random Fourier features √2 cos(ω z + φ), which also detect non-linear
 * dependence (StableNet: Zhang et al., 2021). `counts` weights the pairs of each feature. The mean weight is 1.
 */
export function decorrelationWeights(
  features: Tensor,
  counts: Tensor,
  key: Tensor,
  { waves = 3, steps = 10, rate = 3, even = 0.05 }: DecorrelationOptions = {},
): Tensor {
  const [rows, width] = features.shape;
  const z = standardised(features);
  const [one, other] = random.splitKey(key);
  const seen = Array.from({ length: 2 * waves }, (_, i) => {
    const frequency = random.normal(random.foldKey(one, i), [1, width]);
    const phase = random.uniform(random.foldKey(other, i), [1, width], 0, 2 * Math.PI);
    return mul(cos(add(mul(z, frequency), phase)), Math.SQRT2);
  });
  // A feature's correlation with itself is excluded.
  const others = where(ne(iota([width, width], 0), iota([width, width], 1)), reshape(counts, [width, 1]), 0);
  const pairs = div(others, add(sum(others), 1e-8));
  const dependence = (logits: Tensor) => {
    const share = reshape(softmax(logits), [rows, 1]);
    const scaled = seen.map((x) => {
      const centred = sub(x, reshape(sum(mul(x, share), 0), [1, width]));
      // Correlations, because covariances also fall when identical samples get all the weight.
      const variance = sum(mul(square(centred), share), 0);
      return div(centred, reshape(sqrt(add(variance, 1e-3)), [1, width]));
    });
    let total = mul(sum(square(share)), rows * even);
    for (let i = 0; i < waves; i++) {
      const correlation = matmul(transpose(mul(scaled[2 * i], share)), scaled[2 * i + 1]);
      total = add(total, mul(sum(mul(square(correlation), pairs)), 1 / waves));
    }
    return total;
  };
  const { carry } = scan(
    (logits: Tensor, _: undefined) => {
      const down = mul(valueAndGradient(dependence)(logits).gradient, rate * rows);
      // With few weighted pairs the objective is steep: one large step could leave a single sample.
      return [sub(logits, clamp(down, -longest, longest)), {}] as const;
    },
    zeros([rows]),
    undefined,
    { length: steps },
  );
  return stopGradient(mul(softmax(carry), rows));
}

/** Maximum change of a log-weight per step. */
const longest = 0.3;

/** Standardised columns; constant columns stay 0. */
export const standardised = (x: Tensor): Tensor => {
  const centred = sub(x, mean(x, 0).reshape([1, -1]));
  return div(centred, sqrt(add(mean(square(centred), 0), 1e-6)).reshape([1, -1]));
};

/** Weights samples so that all features become independent of each other. */
export const featureDecorrelation =
  (options?: DecorrelationOptions): AuxiliaryTraining["weigh"] =>
  (features, key) =>
    decorrelationWeights(features, zeros([features.shape[1]]).add(1), random.foldKey(key, "sgfd"), options);
