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

/** sign(x) log(1 + |x|): large numbers come close together, small ones stay what they are (Hafner et al., 2023). */
export const symlog = (x: Tensor): Tensor => mul(sign(x), log1p(abs(x)));

/** sign(x) (exp |x| - 1), which undoes {@link symlog}. */
export const symexp = (x: Tensor): Tensor => mul(sign(x), expm1(abs(x)));

/**
 * So many numbers from -(eʳ - 1) to eʳ - 1, close together around 0 and ever further apart: symexp of evenly spaced ones from -r to r. A
 * reach r of 10 is 22,025.
 */
export function symexpBins(count: number, reach = 10): readonly number[] {
  return Array.from({ length: count }, (_, i) => {
    const x = -reach + (2 * reach * i) / (count - 1);
    return Math.sign(x) * real.expm1(Math.abs(x));
  });
}

/** Each number as shares of the two bins that it lies between, by nearness: [rows] to [rows, bins]. */
export function twoHot(x: Tensor, bins: readonly number[]): Tensor {
  const last = bins.length - 1;
  // Beyond the ends there is another bin, where nothing can lie.
  const before = bins.map((b, i) => (i === 0 ? b - 1 : bins[i - 1]));
  const after = bins.map((b, i) => (i === last ? b + 1 : bins[i + 1]));
  const gaps = (from: readonly number[], to: readonly number[]) => tensor(to.map((b, i) => b - from[i]));
  const inside = expandDims(clamp(x, bins[0], bins[last]), -1);
  const rising = div(sub(inside, tensor([...before])), gaps(before, bins));
  const falling = div(sub(tensor([...after]), inside), gaps(bins, after));
  return clamp(minimum(rising, falling), 0, 1);
}

/** How little a distribution over bins says about the numbers: their cross-entropy, [rows]. */
export const twoHotLoss = (logits: Tensor, x: Tensor, bins: readonly number[]): Tensor =>
  neg(sum(mul(twoHot(x, bins), logSoftmax(logits)), -1));

/** The number that a distribution over bins expects, [rows]. */
export const twoHotMean = (logits: Tensor, bins: readonly number[]): Tensor =>
  sum(mul(softmax(logits), tensor([...bins])), -1);
