import { abs, add, div, mul, sign, sqrt, square, sub, type Tensor } from "@reins/tensor";

/** Weight of the linear term, which keeps the inverse Lipschitz continuous. */
const slope = 1e-3;

/** Compresses large values: h(x) = sign(x) (√(|x| + 1) − 1) + x / 1000 (Pohlen et al., 2018). */
export function rescaled(x: Tensor): Tensor {
  return add(mul(sign(x), sub(sqrt(add(abs(x), 1)), 1)), mul(x, slope));
}

/** The inverse of {@link rescaled}. */
export function unscaled(y: Tensor): Tensor {
  // (√(1 + 4 s a) − 1) / (2 s) with a = |y| + 1 + s, rewritten to avoid cancellation.
  const a = add(abs(y), 1 + slope);
  const root = div(mul(a, 2), add(sqrt(add(mul(a, 4 * slope), 1)), 1));
  return mul(sign(y), sub(square(root), 1));
}
