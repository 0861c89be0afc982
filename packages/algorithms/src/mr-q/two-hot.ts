import {
  clamp,
  div,
  expandDims,
  logSoftmax,
  minimum,
  mul,
  neg,
  real,
  sub,
  sum,
  type Tensor,
  tensor,
} from "@reins/tensor";

/** Largest number that bins reach, as a logarithm: eˣ - 1 on both sides of 0. */
const reach = 10;

/** Numbers from -22,025 to 22,025, close together around 0 and ever further apart: symexp of evenly spaced ones (Hafner et al., 2023). */
export function rewardBins(count: number): readonly number[] {
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
