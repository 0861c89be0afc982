import { add, and, bitcast, iota, mul, or, random, shr, slice, type Tensor, xor } from "@reins/tensor";

/**
 * A random permutation of 0 … n - 1 (i32). For a power of two it is a chain of keyed bijections on the bits of the position, computed for
 * each position independently; sorting random numbers, as for other n, takes a hundred times as long for 65,536.
 */
export function shuffled(key: Tensor, n: number): Tensor {
  const bits = Math.log2(n);
  if (!Number.isInteger(bits) || bits < 2) return random.permutation(key, n);
  const rounds = 4;
  const constants = bitcast(random.bits(key, [2 * rounds]), "i32");
  const constant = (i: number) => slice(constants, [[i, i + 1]]);
  let x: Tensor = iota([n]);
  for (let r = 0; r < rounds; r++) {
    // An odd factor, an addend and a fold of the high half onto the low one: each is invertible, so no position is hit twice.
    x = and(add(mul(x, or(constant(2 * r), 1)), constant(2 * r + 1)), n - 1);
    x = xor(x, shr(x, Math.ceil(bits / 2)));
  }
  return x;
}
