import type { TrainState } from "@reins/core";
import type * as nn from "@reins/nn";
import { and, eq, shr, type Tensor, type Tree, treeMap, where, zerosLike } from "@reins/tensor";

/** Whether the next update is an extrapolation, which the one after it takes back. */
const extrapolates = ({ step }: nn.OptimiserState<Tree>): Tensor => eq(and(step, 1), 0);

const choose = <T extends Tree>(first: Tensor, one: T, other: T): T =>
  treeMap((a: Tensor, b: Tensor) => where(first, a, b), one, other) as T;

/** The weights from which the extrapolation and the step both start: those before the extrapolation. */
export const startOfStep = ({ weights, optimiser }: TrainState): Tree =>
  choose(extrapolates(optimiser), weights, optimiser.slots.start);

/**
 * An optimiser whose updates alternate: an extrapolation, and a step from the weights before it. The extrapolation
 * leaves the statistics of `inner` as they were.
 */
export function extragradient(inner: nn.Optimiser): nn.Optimiser {
  return {
    init(params) {
      const { step, slots } = inner.init(params);
      return { step, slots: { ...slots, start: treeMap(zerosLike, params) as typeof params } };
    },
    update(gradients, state, params, settings) {
      const first = extrapolates(state);
      const { start: kept, ...slots } = state.slots;
      const start = choose(first, params, kept);
      const moved = inner.update(gradients, { step: shr(state.step, 1), slots }, start, settings);
      const after = choose(first, slots as Tree, moved.state.slots as Tree) as typeof slots;
      return { params: moved.params, state: { step: state.step.add(1), slots: { ...after, start } } };
    },
  };
}
