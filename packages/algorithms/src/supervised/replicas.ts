import type { LinearParams } from "@reins/nn";
import {
  add,
  argmax,
  cast,
  div,
  eq,
  logSoftmax,
  matmul,
  mul,
  neg,
  pick,
  random,
  relu,
  sub,
  sum,
  type Tensor,
  type TensorLike,
  where,
} from "@reins/tensor";

/** Leaves out a share of the numbers, which may change from call to call, and scales the others up. */
export function drop(x: Tensor, share: TensorLike, key: Tensor): Tensor {
  const kept = sub(1, share);
  return where(random.bernoulli(key, kept, x.shape), div(x, kept), 0);
}

/**
 * The loss of a chain of temporary modules, each of which leaves out more of the features and classifies the rest with the network's
 * own last layer: one forward pass tries all their dropout rates. An example goes on to the next only while it is classified
 * rightly, as an episode that ends with its first mistake (Li, Cheng and Gu, "Sequential Policy Gradient for Adaptive Hyperparameter
 * Optimization", 2025, as in their code).
 */
export function replicaLoss(
  replicas: readonly LinearParams[],
  classify: (features: Tensor) => Tensor,
  features: Tensor,
  labels: Tensor,
  share: number,
  key: Tensor,
): Tensor {
  const right = (logits: Tensor) => cast(eq(argmax(logits, -1), labels), "f32");
  let goesOn = right(classify(features));
  let from = features;
  return replicas
    .map(({ weight, bias }, i) => {
      const kept = drop(from, share, random.foldKey(key, i));
      from = add(kept, relu(add(matmul(kept, weight), bias!)));
      const logits = classify(from);
      const errors = neg(pick(logSoftmax(logits), labels));
      const loss = div(sum(mul(errors, goesOn)), add(sum(goesOn), 1e-6));
      goesOn = mul(goesOn, right(logits));
      return loss;
    })
    .reduce((a, b) => add(a, b));
}
