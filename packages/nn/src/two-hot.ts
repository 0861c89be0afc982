import {
  abs,
  clamp,
  div,
  expandDims,
  expm1,
  log1p,
  logSoftmax,
  minimum,
  mul,
  neg,
  real,
  sign,
  softmax,
  sub,
  sum,
  type Tensor,
  tensor,
} from "@reins/tensor";

/** sign(x) log(1 + |x|): compresses large numbers and keeps small ones (Hafner et al., 2023). */
export const symlog = (x: Tensor): Tensor => mul(sign(x), log1p(abs(x)));

/** sign(x) (exp |x| - 1), the inverse of {@link symlog}. */
export const symexp = (x: Tensor): Tensor => mul(sign(x), expm1(abs(x)));

/**
 * `count` bins from -(eʳ - 1) to eʳ - 1, dense around 0 and increasingly sparse: symexp of evenly spaced numbers from -r to r. A
 * range r of 10 is 22,025.
 */
export function symexpBins(count: number, reach = 10): readonly number[] {
  return Array.from({ length: count }, (_, i) => {
    const x = -reach + (2 * reach * i) / (count - 1);
    return Math.sign(x) * real.expm1(Math.abs(x));
  });
}

/** Two-hot encoding: each number as weights of its two neighbouring bins, [rows] to [rows, bins]. */
export function twoHot(x: Tensor, bins: readonly number[]): Tensor {
  const last = bins.length - 1;
  // An additional bin beyond each end, which no number reaches.
  const before = bins.map((b, i) => (i === 0 ? b - 1 : bins[i - 1]));
  const after = bins.map((b, i) => (i === last ? b + 1 : bins[i + 1]));
  const gaps = (from: readonly number[], to: readonly number[]) => tensor(to.map((b, i) => b - from[i]));
  const inside = expandDims(clamp(x, bins[0], bins[last]), -1);
  const rising = div(sub(inside, tensor([...before])), gaps(before, bins));
  const falling = div(sub(tensor([...after]), inside), gaps(bins, after));
  return clamp(minimum(rising, falling), 0, 1);
}

/** The cross-entropy of two-hot numbers under a distribution over bins, [rows]. */
export const twoHotLoss = (logits: Tensor, x: Tensor, bins: readonly number[]): Tensor =>
  neg(sum(mul(twoHot(x, bins), logSoftmax(logits)), -1));

/** The expected number of a distribution over bins, [rows]. */
export const twoHotMean = (logits: Tensor, bins: readonly number[]): Tensor =>
  sum(mul(softmax(logits), tensor([...bins])), -1);
