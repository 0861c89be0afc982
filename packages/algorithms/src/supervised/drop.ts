import { div, random, sub, type Tensor, type TensorLike, where } from "@reins/tensor";

/** Leaves out a share of the numbers, which may change from call to call, and scales the others up. */
export function drop(x: Tensor, share: TensorLike, key: Tensor): Tensor {
  const kept = sub(1, share);
  return where(random.bernoulli(key, kept, x.shape), div(x, kept), 0);
}
