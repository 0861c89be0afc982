import { random, reshape, slice, stack, type Tensor, type Tree, treeMap, vmap } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Layer, LayerContext } from "../layer.ts";

/** Settings of {@link ensemble}. */
export interface EnsembleOptions {
  /** Number of members. More give better uncertainty and cost more (2 critics in SAC, 5 to 10 in world models). */
  members: number;
  /** Whether `x` has a leading axis with an input for each member (default: all share one input). */
  separateInputs?: boolean;
}

/**
 * `members` copies of a layer with separate parameters, stacked on a leading axis and run as one batched call. The result
 * has a leading axis of members.
 */
export function ensemble<P extends Tree>(
  layer: Layer<P>,
  { members, separateInputs = false }: EnsembleOptions,
): Layer<P> {
  return {
    init: (key) => stackTrees(random.splitKey(key, members).map((k) => layer.init(k))),
    apply(params, x, context?: LayerContext) {
      if (separateInputs && x.shape[0] !== members)
        fail(
          "ensemble",
          `separateInputs needs one input per member on the first axis: ${members}, but got ${x.shape[0]}.`,
        );
      const inputs = separateInputs ? 0 : null;
      if (!context?.key)
        return vmap((p: P, y: Tensor) => layer.apply(p, y, context), { in: [0, inputs] })(params, x);
      const keys = stack(random.splitKey(context.key, members));
      return vmap((p: P, y: Tensor, key: Tensor) => layer.apply(p, y, { ...context, key }), {
        in: [0, inputs, 0],
      })(params, x, keys);
    },
  };
}

/** Stacks trees of equal structure along a new leading axis. */
export function stackTrees<T extends Tree>(trees: readonly T[]): T {
  return treeMap((...tensors) => stack(tensors), trees[0], ...trees.slice(1));
}

/** One member of stacked trees. */
export function unstackMember<T extends Tree>(stacked: T, index: number): T {
  return treeMap((t) => reshape(slice(t, [[index, index + 1]]), t.shape.slice(1)), stacked);
}
