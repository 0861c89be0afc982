import { fail } from "@reins/core";
import type { BodyLayer } from "@reins/core/policies";
import * as nn from "@reins/nn";
import { leaves, permute, random, reshape, type Tensor, type Tree, treeMap, vmap } from "@reins/tensor";

/**
 * Copies of a network for groups of agents, in one batched call: one group is a shared network, as many groups as
 * agents are independent networks. Row i of the input belongs to agent i mod `agents`; a group is a block of
 * consecutive agents.
 */
export function grouped(layer: BodyLayer, agents: number, groups: number): BodyLayer {
  if (!Number.isInteger(agents / groups))
    fail("groups", `${agents} agents cannot be split into ${groups} equal groups.`);
  const members = agents / groups;
  /** [outer · inner · members, …] with the first two axes swapped. */
  const swapped = (x: Tensor, outer: number, inner: number, own: readonly number[]) =>
    permute(reshape(x, [outer, inner, members, ...own]), [1, 0, 2, ...own.map((_, i) => 3 + i)]);
  return {
    init: (key) => nn.stackTrees(random.splitKey(key, groups).map((k) => layer.init(k))),
    apply(params, observation, context) {
      const [{ shape }] = leaves(observation);
      if (shape[0] % agents)
        fail(
          "groups",
          `got ${shape[0]} ${shape[0] === 1 ? "observation" : "observations"}, but its networks belong to ${agents} agents, which act together. Name the agent that acts: act(observation, { agent: 0 }).`,
        );
      const networks = vmap((own: Tree, x: Tree) => layer.apply(own, x, context));
      const parts = treeMap((x) => {
        const [rows, ...own] = x.shape;
        return reshape(swapped(x, rows / agents, groups, own), [groups, rows / groups, ...own]);
      }, observation);
      const results = networks(params, parts);
      const [, rows, ...own] = results.shape;
      return reshape(swapped(results, groups, rows / members, own), [groups * rows, ...own]);
    },
  };
}
