import { div, leaves, maximum, mul, rebuild, sqrt, square, sum, type Tensor, treeMap } from "@reins/tensor";
import { flattenNames } from "../names.ts";
import type { Optimiser } from "./optimiser.ts";

/**
 * After each update of another optimiser, parameters have the length again that they began with. Below a normalising layer length changes nothing
 * that a network says, but the longer weights are, the less a step of the same size turns them: held, the learning rate means the same throughout.
 * Lyle et al., "Normalization and effective learning rates in reinforcement learning" (2024). `holds` says which, by name and tensor: matrices,
 * by default.
 */
export function projected(
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
        params: rebuild(params, held),
        state: { step: moved.state.step, slots: { ...moved.state.slots, length } },
      };
    },
  };
}

const lengthOf = (p: Tensor): Tensor => sqrt(sum(square(p)));
