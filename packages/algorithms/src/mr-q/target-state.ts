import { type TrainState, when } from "@reins/core";
import { copyOf } from "@reins/core/forms";
import { div, eq, maximum, mod, type Tensor, type Tree, where } from "@reins/tensor";

/** State that stays fixed between two target updates. */
export type FixedState = {
  /** The model whose features critics and actor use. */
  readonly held: Tree;
  readonly target: { readonly model: Tree; readonly actor: Tree; readonly values: Tree };
  /** Reward scale of the critics and of their target networks: the mean absolute reward. */
  readonly scale: Tensor;
  readonly targetScale: Tensor;
};
/** All learned state. */
export type ModelState = FixedState & {
  /** The model being trained; the next fixed model. */
  readonly model: TrainState;
  readonly actor: TrainState;
  readonly values: TrainState;
  /** Sum of the mean absolute rewards since the last target update. */
  readonly paid: Tensor;
  readonly count: Tensor;
};

/**
 * Every `every` updates, targets become the fixed networks and the fixed networks become the trained ones. `size`
 * is the mean absolute reward of this batch.
 */
export function moved(state: ModelState, size: Tensor, every: number): FixedState {
  const { held, target, scale, targetScale, count, paid } = state;
  const usual = where(eq(count, 0), size, div(paid, every));
  const move = (s: FixedState): FixedState => ({
    held: copyOf(state.model.weights),
    target: { model: s.held, actor: copyOf(state.actor.weights), values: copyOf(state.values.weights) },
    scale: maximum(usual, 1e-8),
    targetScale: s.scale,
  });
  return when(eq(mod(count, every), 0), move, { held, target, scale, targetScale });
}
