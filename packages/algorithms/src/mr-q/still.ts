import { type Learned, when } from "@reins/core";
import { add, div, eq, maximum, mod, type Tensor, type Tree, treeMap, where } from "@reins/tensor";

/** What stays as it is between two moves of the targets. */
export type Still = {
  /** The model whose features values and actor are made on. */
  readonly held: Tree;
  readonly target: { readonly model: Tree; readonly actor: Tree; readonly values: Tree };
  /** What values are divided by, and what those of the target networks are: the mean size of rewards. */
  readonly scale: Tensor;
  readonly targetScale: Tensor;
};
/** All that it learns. */
export type ModelState = Still & {
  /** The model that learns, to be held next. */
  readonly model: Learned;
  readonly actor: Learned;
  readonly values: Learned;
  /** Sum of the mean sizes of rewards since the last move. */
  readonly paid: Tensor;
  readonly count: Tensor;
};

/** The same numbers in memory of their own. */
export const copy = (tree: Tree): Tree => treeMap((t) => add(t, 0), tree);

/** At every so manieth update targets become what was held, and what was learned is held. `size` is the mean size of this batch's rewards. */
export function moved(state: ModelState, size: Tensor, every: number): Still {
  const { held, target, scale, targetScale, count, paid } = state;
  const usual = where(eq(count, 0), size, div(paid, every));
  const move = (s: Still): Still => ({
    held: copy(state.model.weights),
    target: { model: s.held, actor: copy(state.actor.weights), values: copy(state.values.weights) },
    scale: maximum(usual, 1e-8),
    targetScale: s.scale,
  });
  return when(eq(mod(count, every), 0), move, { held, target, scale, targetScale });
}
