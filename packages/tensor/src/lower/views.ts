import type { Node, NodeOf, Op } from "../graph.ts";
import type { IndirectReads, Leaves, Reductions, Views } from "../primitives.ts";
import { stridesOf } from "../shape.ts";
import { type Affine, type Dims, flatten, plus, times, unflatten, zero } from "./affine.ts";

type Through<K extends keyof Views> = (
  node: NodeOf<K>,
  axes: readonly Affine[],
  dims: Dims,
) => readonly Affine[] | undefined;

/** For each view, its input's axis indices from its own; undefined if they are not affine. */
const through: { readonly [K in keyof Views]: Through<K> } = {
  identity: (_, axes) => axes,
  stopGradient: (_, axes) => axes,
  custom: (_, axes) => axes,
  permute: (node, axes) => {
    const out: Affine[] = [];
    node.attributes.axes.forEach((a, i) => {
      out[a] = axes[i];
    });
    return out;
  },
  broadcast: ({ inputs: [x] }, axes, dims) => axes.map((a, i) => (x.shape[i] === 1 ? zero(dims) : a)),
  slice: (node, axes, dims) => {
    const { begin, step } = node.attributes;
    return axes.map((a, i) => plus(times(a, step[i]), { ...zero(dims), constant: begin[i] }));
  },
  windows: (node, axes) => {
    const { axis, stride, dilation } = node.attributes;
    const joined = plus(times(axes[axis], stride), times(axes[axis + 1], dilation));
    return [...axes.slice(0, axis), joined, ...axes.slice(axis + 2)];
  },
  reshape: ({ shape, inputs: [x] }, axes, dims) =>
    unflatten(flatten(axes, stridesOf(shape), dims), x.shape, stridesOf(x.shape), dims),
};

function throughView<K extends keyof Views>(node: NodeOf<K>, axes: readonly Affine[], dims: Dims) {
  return through[node.op](node, axes, dims);
}

const reductions: { readonly [K in keyof Reductions]: true } = {
  sum: true,
  prod: true,
  max: true,
  min: true,
};
const leaves: { readonly [K in keyof Leaves]: true } = { constant: true, iota: true };
const indirectReads: { readonly [K in keyof IndirectReads]: true } = { gather: true, dynamicSlice: true };

export const isView = (n: Node): n is NodeOf<keyof Views> => Object.hasOwn(through, n.op);
export const isReduction = (n: Node): n is NodeOf<keyof Reductions> => Object.hasOwn(reductions, n.op);
/** Leaves are inlined where they are used. */
export const isLeaf = (n: Node): n is NodeOf<keyof Leaves> => Object.hasOwn(leaves, n.op);
/** Reads at computed positions: like elementwise operations, but their table must be in memory. */
export const isIndirect = (n: Node): n is NodeOf<keyof IndirectReads> => Object.hasOwn(indirectReads, n.op);

/** The source of a value: a node that is computed or stored, and the index into it. */
export interface Source {
  readonly base: Node;
  /** Position in the base's row-major memory. */
  readonly flat: Affine;
  /** Index along each of the base's axes, if known. */
  readonly axes: readonly Affine[] | undefined;
}

/**
 * Whether a value is inlined rather than read from memory. It depends on the source alone, also if another unit
 * needs the same leaf in memory, so no unit reads it before it is stored.
 */
export const isWritten = (s: Source): boolean =>
  s.base.op === "constant" || (s.base.op === "iota" && s.axes !== undefined);

/**
 * Follows views from `node`, whose axis indices are given, to the node that has the elements. A view is read from memory only if a
 * reshape cannot be resolved: if it is not `stored`, that view is returned. (A view that is stored for another unit is
 * resolved like any other, so that the result never depends on the order of the searches.)
 */
export function resolve(
  node: Node,
  axes: readonly Affine[],
  dims: Dims,
  stored: (n: Node) => boolean,
): Source | { readonly stuck: Node } {
  let at = axes;
  while (isView(node)) {
    const x = node.inputs[0];
    const next = throughView(node, at, dims);
    if (!next) {
      // A contiguous node needs no axis indices.
      const flat = flatten(at, stridesOf(node.shape), dims);
      const base = inOrder(x);
      return isView(base) && !stored(base) ? { stuck: base } : { base, flat, axes: undefined };
    }
    at = next;
    node = x;
  }
  return { base: node, flat: flatten(at, stridesOf(node.shape), dims), axes: at };
}

const keepsOrder: ReadonlySet<Op> = new Set<keyof Views>(["reshape", "identity", "stopGradient", "custom"]);

/** Down through views that keep the order of elements: to the base, or to the view that changes it. */
function inOrder(node: Node): Node {
  while (isView(node) && keepsOrder.has(node.op)) node = node.inputs[0];
  return node;
}
