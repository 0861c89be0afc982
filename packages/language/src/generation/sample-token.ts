import {
  broadcastTo,
  cast,
  cumsum,
  div,
  expandDims,
  iota,
  le,
  max,
  minimum,
  mul,
  pad,
  pick,
  reshape,
  slice,
  sub,
  sum,
  type Tensor,
  take,
  where,
} from "@reins/tensor";

/** Vocabularies above this are searched in levels: running sums add one number after the other, which is slow for long rows. */
const longest = 4096;
/** Numbers that one level adds up. */
const fan = 64;
/** The largest number below 1 that keeps a product below its other factor, whatever the rounding. */
const belowOne = 1 - 2 ** -23;

/**
 * Inverse transform sampling: the first token whose cumulative probability exceeds the uniform number. Tokens of
 * probability 0 are never chosen.
 */
export function sampleToken(p: Tensor, chance: Tensor): Tensor {
  return p.shape[1] <= longest ? first(p, chance).index : inLevels(p, chance);
}

/** The first column whose running sum exceeds the share `chance` of the total, and the running sums. */
function first(p: Tensor, chance: Tensor) {
  const [rows, size] = p.shape;
  const soFar = cumsum(p, -1);
  // Rounding may leave the total slightly off 1: scale the uniform number by the total.
  const whole = slice(soFar, [null, [size - 1, size]]);
  const target = mul(expandDims(chance, -1), whole);
  const passed = le(soFar, broadcastTo(target, [rows, size]));
  return { index: sum(cast(passed, "i32"), -1), soFar, target, passed };
}

/** Chooses one of at most `fan` groups of tokens, then a smaller group in it, and so on down to a token. */
function inLevels(p: Tensor, chance: Tensor): Tensor {
  const [rows] = p.shape;
  const levels = [p];
  while (levels[0].shape[1] > fan) levels.unshift(sum(grouped(levels[0]), -1));
  let index: Tensor | undefined;
  let left = chance;
  for (const level of levels) {
    const parts = index ? within(grouped(level), index) : level;
    const { index: own, soFar, target, passed } = first(parts, left);
    const before = max(where(passed, soFar, 0), -1);
    // What is left of the number, as a share of the chosen part.
    left = minimum(div(sub(reshape(target, [rows]), before), pick(parts, own)), belowOne);
    index = index ? index.mul(fan).add(own) : own;
  }
  return index!;
}

/** [rows, n] as [rows, groups, fan], with zeros at the end. */
function grouped(p: Tensor): Tensor {
  const [rows, size] = p.shape;
  const groups = Math.ceil(size / fan);
  return reshape(
    pad(p, [
      [0, 0],
      [0, groups * fan - size],
    ]),
    [rows, groups, fan],
  );
}

/** One group of each row: [rows, fan]. */
function within(groups: Tensor, index: Tensor): Tensor {
  const [rows, count] = groups.shape;
  return take(reshape(groups, [rows * count, fan]), iota([rows]).mul(count).add(index));
}
