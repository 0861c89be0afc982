import type { Node, NodeOf } from "../graph.ts";
import type { Reductions } from "../primitives.ts";
import { sizeOf, stridesOf } from "../shape.ts";
import { type Affine, type Dims, flatten, home, refine } from "./affine.ts";
import { isIndirect, isReduction, isView } from "./views.ts";

/**
 * Nodes computed together by one kernel. Its loops run over `dims`; nodes of full shape are computed per element, and, in a
 * group with reductions, nodes of the reduced shape are computed per row.
 */
export interface Unit {
  readonly id: number;
  kind: "group" | "opaque";
  nodes: Node[];
  dims: Dims;
  /** The dims that its reductions sum over. */
  reduced: boolean[] | undefined;
  readonly deps: Set<Unit>;
  /** The last search that visited it. */
  stamp: number;
}

/** A source of a node, and the shape whose elements it visits to read it. */
export function readsOf(node: Node): { input: Node; shape: readonly number[] }[] {
  if (isView(node)) return [{ input: node, shape: node.shape }];
  if (isIndirect(node)) return node.op === "gather" ? [{ input: node.inputs[1], shape: node.shape }] : [];
  return node.inputs.map((input) => ({ input, shape: input.shape }));
}

/** The loops of a group's kernel. */
export type Loops = Pick<Unit, "dims" | "reduced">;

/** Adjacent elements that are unrolled instead of looped over. */
export const longestShort = 8;
/** A group's reductions are over a few elements: lanes run over the other dims. */
export function reducesShort(g: Loops): boolean {
  const size = reducedSize(g);
  return g.reduced !== undefined && size > 0 && size <= longestShort;
}

/** Number of elements of a reduced row. */
export const reducedSize = (g: Loops) => g.dims.reduce((n, d, i) => (g.reduced?.[i] ? n * d : n), 1);

/** Whether a group's reductions leave the last dimension: column sums rather than row sums. */
export function isColumn(g: Loops): boolean {
  return g.reduced !== undefined && !g.reduced[g.reduced.length - 1] && !reducesShort(g);
}

export function keptDims(g: Loops): number[] {
  return g.dims.flatMap((_, i) => (g.reduced?.[i] ? [] : [i]));
}

/** Whether a node of the group is computed per element or per row. A reduction visits elements. */
export function levelOf(g: Unit, node: Node): "full" | "row" {
  if (isReduction(node)) return "full";
  return g.reduced && sizeOf(node.shape) !== sizeOf(g.dims) ? "row" : "full";
}

/** Where a group's node is stored, in terms of the group's loops. */
export function homeOf(g: Unit, node: Node): Affine | undefined {
  const row = isReduction(node) || levelOf(g, node) === "row";
  const axes = home(node.shape, g.dims, row ? keptDims(g) : undefined);
  return axes && flatten(axes, stridesOf(node.shape), g.dims);
}

export function reducedDims(node: NodeOf<keyof Reductions>): boolean[] {
  const { axes } = node.attributes;
  return node.inputs[0].shape.flatMap((d, i) => (d === 1 ? [] : [axes.includes(i)]));
}

/** `known` itself if nothing changed, so that cached results for it stay valid. */
export function sameDims(dims: Dims, known: Dims): Dims {
  return dims.length === known.length ? known : dims;
}

/** Flags of coarse dims, given to the finer dims that make them up. */
export function spreadFlags(fine: Dims, coarse: Dims, flags: readonly boolean[]): boolean[] {
  const r = refine(coarse, fine)!;
  return r.parents.map((p) => flags[p]);
}
