import { div, random, sub, type Tensor, type TensorLike, where } from "@reins/tensor";

/** Dropout with a rate that may change from call to call. */
export function drop(x: Tensor, share: TensorLike, key: Tensor): Tensor {
  const kept = sub(1, share);
  return where(random.bernoulli(key, kept, x.shape), div(x, kept), 0);
}
