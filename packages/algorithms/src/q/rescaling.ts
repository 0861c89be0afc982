import { abs, add, div, mul, sign, sqrt, square, sub, type Tensor } from "@reins/tensor";

/** How much of a value is left as it is: enough for the function to have an inverse that does not run away. */
const slope = 1e-3;

/** Large values made small, so that one network can hold them: h(x) = sign(x) (√(|x| + 1) − 1) + x / 1000 (Pohlen et al., 2018). */
export function rescaled(x: Tensor): Tensor {
  return add(mul(sign(x), sub(sqrt(add(abs(x), 1)), 1)), mul(x, slope));
}

/** The value that {@link rescaled} made this of. */
export function unscaled(y: Tensor): Tensor {
  // (√(1 + 4 s a) − 1) / (2 s) with a = |y| + 1 + s, without the difference, in which digits would be lost.
  const a = add(abs(y), 1 + slope);
  const root = div(mul(a, 2), add(sqrt(add(mul(a, 4 * slope), 1)), 1));
  return mul(sign(y), sub(square(root), 1));
}
