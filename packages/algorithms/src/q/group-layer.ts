import { fail } from "@reins/core";
import * as nn from "@reins/nn";
import { permute, reshape, type Tensor, type Tree } from "@reins/tensor";

/**
 * Copies of a network for groups of agents, as one batched call: one group is a network that all share, as many as agents are independent
 * ones. Row i of the input is of agent i mod `agents`; a group is a block of agents that follow each other.
 */
export function grouped<P extends Tree>(layer: nn.Layer<P>, agents: number, groups: number): nn.Layer<P> {
  if (!Number.isInteger(agents / groups))
    fail("groups", `${agents} agents cannot be split into ${groups} equal groups.`);
  const members = agents / groups;
  const networks = nn.ensemble(layer, { members: groups, separateInputs: true });
  const swapped = (x: Tensor, outer: number, inner: number) =>
    permute(reshape(x, [outer, inner, members, x.shape[x.shape.length - 1]]), [1, 0, 2, 3]);
  return {
    init: networks.init,
    apply(params, x) {
      const moments = x.shape[0] / agents;
      const parts = reshape(swapped(x, moments, groups), [groups, moments * members, x.shape[1]]);
      const results = networks.apply(params, parts);
      return reshape(swapped(results, groups, moments), [x.shape[0], results.shape[2]]);
    },
  };
}
