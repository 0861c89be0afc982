import { mul, type Tensor, tanh } from "@reins/tensor";

/** cap · tanh(x / cap): nearly `x` for small x, and never beyond `cap`. Without a cap it is `x`. */
export function softCap(x: Tensor, cap: number | undefined): Tensor {
  return cap === undefined ? x : mul(tanh(mul(x, 1 / cap)), cap);
}
