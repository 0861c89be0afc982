import { grad, stopGradient, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { along, inner } from "./conjugate-gradient.ts";

/**
 * Products with a policy's Fisher information matrix plus `damping` times the identity. `divergence` is the KL
 * divergence from the policy with the given weights: 0 where both are equal, so that its Hessian there is the
 * Fisher information.
 */
export function fisherProduct<W extends Tree>(
  divergence: (weights: W) => Tensor,
  weights: W,
  damping: Tensor | number,
): (v: W) => W {
  const slope = grad(divergence);
  return (v) => {
    const direction = treeMap(stopGradient, v);
    return along(grad((w: W) => inner(slope(w), direction))(weights), damping, v);
  };
}
