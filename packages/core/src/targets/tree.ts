import type { Tensor } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import { fail } from "../errors.ts";
import { episodesOf } from "./group.ts";

/** Statistics of a node: the number of samples through it, and their rewards. */
interface Node {
  plays: number;
  total: number;
}

/**
 * Advantages for a group of samples that forms a tree (TreeRL, Hou et al., 2025). A node's value is the mean reward of the samples through
 * it; its steps get the value's differences from the root and from the parent node, over the square root of the number of samples, since a
 * shared step is trained on once per sample. Reads the column `node`, the node of each step: 0 is the prompt, and other numbers are
 * unique in a group. One number per step.
 */
export function treeAdvantages(rewards: ArrayLike<number>, batch: Batch): Float32Array {
  const { starts, groups } = episodesOf(batch, "treeAdvantages");
  const column = batch.columns.node as Tensor | undefined;
  if (!column) return fail("treeAdvantages", "needs a column `node`. Sample with branches.");
  const at = column.data;
  const trees = new Map<number, Map<number, Node>>();
  const visit = (tree: Map<number, Node>, id: number, reward: number) => {
    const node = tree.get(id) ?? { plays: 0, total: 0 };
    tree.set(id, node);
    node.plays++;
    node.total += reward;
  };
  const eachPlay = (see: (tree: Map<number, Node>, play: number, from: number, to: number) => void) =>
    groups.forEach((group, play) => {
      const tree = trees.get(group) ?? new Map<number, Node>();
      trees.set(group, tree);
      see(tree, play, starts[play], starts[play + 1]);
    });

  eachPlay((tree, play, from, to) => {
    for (const id of new Set([0, ...at.subarray(from, to)])) visit(tree, id, rewards[play]);
  });
  const out = new Float32Array(at.length);
  const meanValue = ({ plays, total }: Node) => total / plays;
  eachPlay((tree, _, from, to) => {
    const root = tree.get(0)!;
    let [before, node] = [root, root];
    for (let step = from; step < to; step++) {
      const here = tree.get(at[step])!;
      if (here !== node) [before, node] = [node, here];
      out[step] = (2 * meanValue(node) - meanValue(root) - meanValue(before)) / Math.sqrt(node.plays);
    }
  });
  return out;
}
