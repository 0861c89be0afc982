import {
  div,
  leaves,
  maximum,
  mul,
  sqrt,
  square,
  sum,
  type Tensor,
  treeMap,
  unflattenTree,
} from "@reins/tensor";
import { flattenNames } from "../names.ts";
import type { Optimiser } from "./optimiser.ts";

/**
 * Rescales parameters to their initial norm after each update of another optimiser. Below a normalising layer the norm does not change the
 * output, but larger weights rotate less for the same step: with a fixed norm, the effective learning rate is constant.
 * Lyle et al., "Normalization and effective learning rates in reinforcement learning" (2024). `holds` selects the parameters by name and
 * tensor (default: matrices).
 */
export function fixedNorm(
  optimiser: Optimiser,
  holds: (name: string, param: Tensor) => boolean = (_, p) => p.rank > 1,
): Optimiser {
  return {
    init(params) {
      const { step, slots } = optimiser.init(params);
      return { step, slots: { ...slots, length: treeMap(lengthOf, params) } };
    },
    update(gradients, state, params, settings) {
      const { length, ...slots } = state.slots;
      const moved = optimiser.update(gradients, { step: state.step, slots }, params, settings);
      const names = [...flattenNames(params).keys()];
      const lengths = leaves(length);
      const held = leaves(moved.params).map((p, i) =>
        holds(names[i], p) ? mul(p, div(lengths[i], maximum(lengthOf(p), 1e-12))) : p,
      );
      return {
        params: unflattenTree(params, held),
        state: { step: moved.state.step, slots: { ...moved.state.slots, length } },
      };
    },
  };
}

const lengthOf = (p: Tensor): Tensor => sqrt(sum(square(p)));
