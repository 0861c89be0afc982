import {
  add,
  clamp,
  div,
  leaves,
  minimum,
  mul,
  sqrt,
  square,
  sum,
  type Tensor,
  type TensorLike,
  type Tree,
  treeMap,
  zeros,
} from "@reins/tensor";

/** The global Euclidean norm of all tensors of a tree. */
export function globalNorm(tree: Tree): Tensor {
  return sqrt(
    leaves(tree)
      .map((t) => sum(square(t)))
      .reduce((a, b) => add(a, b), zeros([])),
  );
}

/** Scales gradients down to a global norm of at most `maximum` (0.5 in PPO, 1 in language models); also returns the norm before clipping. */
export function clipGlobalNorm<T extends Tree>(
  gradients: T,
  maximum: TensorLike,
): { gradients: T; norm: Tensor } {
  const norm = globalNorm(gradients);
  // PyTorch's epsilon.
  const scale = minimum(div(maximum, add(norm, 1e-6)), 1);
  return { gradients: treeMap((g) => mul(g, scale), gradients), norm };
}

/** Clips every element of the gradients to ±`maximum`. */
export function clipValue<T extends Tree>(gradients: T, maximum: number): T {
  return treeMap((g) => clamp(g, -maximum, maximum), gradients);
}
