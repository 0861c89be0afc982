import type { Node } from "../graph.ts";
import { sizeOf } from "../shape.ts";
import { type Dims, dimsOf, refine } from "./affine.ts";
import { isColumn, type Loops, reducedDims, sameDims, spreadFlags } from "./unit.ts";
import { isIndirect, isReduction } from "./views.ts";

/** The loops of a node that is computed alone. */
export function ownLoops(node: Node): Loops {
  return isReduction(node)
    ? { dims: dimsOf(node.inputs[0].shape), reduced: reducedDims(node) }
    : { dims: dimsOf(node.shape), reduced: undefined };
}

/** Loops that serve both a group and others over as many elements; undefined if they do not nest or reduce differently. */
export function sharedLoops(group: Loops, other: Loops): Loops | undefined {
  const full = sizeOf(other.dims) === sizeOf(group.dims) ? refine(group.dims, other.dims) : undefined;
  if (!full) return undefined;
  const theirs = group.reduced && full.parents.map((p) => group.reduced![p]);
  const mine = other.reduced && spreadFlags(full.dims, other.dims, other.reduced);
  if (mine && theirs && mine.some((f, i) => f !== theirs[i])) return undefined;
  return { dims: sameDims(full.dims, group.dims), reduced: theirs ?? mine };
}

/** A group's loops such that `node`, over `dims`, is one value per row, after the group's reductions. */
export function rowLoops(group: Loops, node: Node, dims: Dims): Loops | undefined {
  const { reduced: flags } = group;
  if (!flags || isReduction(node) || isColumn(group) || isIndirect(node)) return undefined;
  const keptIndex = group.dims.flatMap((_, i) => (flags[i] ? [] : [i]));
  const kept = keptIndex.map((i) => group.dims[i]);
  if (sizeOf(kept) !== sizeOf(dims)) return undefined;
  const rows = refine(kept, dims);
  if (!rows) return undefined;
  const refined: number[] = [];
  const reduced: boolean[] = [];
  group.dims.forEach((d, i) => {
    if (flags[i]) {
      refined.push(d);
      reduced.push(true);
    } else {
      rows.dims.forEach((r, k) => {
        if (keptIndex[rows.parents[k]] === i) {
          refined.push(r);
          reduced.push(false);
        }
      });
    }
  });
  return { dims: sameDims(refined, group.dims), reduced };
}
