import { grad, stopGradient, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { along, inner } from "./conjugate-gradient.ts";

/**
 * Products with the Fisher information of a policy at some weights, and so much times the identity (`damping`). `divergence` is that of the
 * policy with these weights from one with others: 0 where both are the same, so that its second derivative there is the Fisher information.
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
