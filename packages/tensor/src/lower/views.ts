import type { Node } from "../graph.ts";
import { stridesOf } from "../shape.ts";
import { type Affine, type Dims, flatten, plus, times, unflatten, zero } from "./affine.ts";

/** Operations that only change how elements are addressed. */
export const viewOps: ReadonlySet<string> = new Set([
  "reshape",
  "permute",
  "broadcast",
  "slice",
  "windows",
  "identity",
  "stopGradient",
  "custom",
]);

export const reduceOps: ReadonlySet<string> = new Set(["sum", "max", "min", "prod"]);

export const isView = (node: Node): boolean => viewOps.has(node.op);

/** Leaves that are written into the code where they are used. */
export const isLeaf = (n: Node): boolean => n.op === "constant" || n.op === "iota";

/** Where a value comes from: a node that is computed or stored, and which of its elements. */
export interface Source {
  readonly base: Node;
  /** Position in the base's row-major memory. */
  readonly flat: Affine;
  /** Index along each of the base's axes, where known. */
  readonly axes: readonly Affine[] | undefined;
}

/**
 * Whether a value is written into the code rather than read from memory. It depends on the source alone: that somebody else needs
 * the same leaf in memory changes nothing, so nobody reads it before it is there.
 */
export const isWritten = (s: Source): boolean =>
  s.base.op === "constant" || (s.base.op === "iota" && s.axes !== undefined);

/**
 * Follows views from `node`, whose axis indices are given, to the node that has the elements. Only where a reshape cannot be seen
 * through is a view read from memory: if `stored` says that it is not there, that view is returned. (A view that happens to be
 * stored for somebody else is seen through like any other, so that what is found never depends on who came first.)
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
    const next = through(node, at, dims);
    if (!next) {
      // Something that lies in memory in one piece needs no axis indices.
      const flat = flatten(at, stridesOf(node.shape), dims);
      const base = inOrder(x);
      return isView(base) && !stored(base) ? { stuck: base } : { base, flat, axes: undefined };
    }
    at = next;
    node = x;
  }
  return { base: node, flat: flatten(at, stridesOf(node.shape), dims), axes: at };
}

const keepsOrder = new Set(["reshape", "identity", "stopGradient", "custom"]);

/** Down through views that keep the order of elements: to the base, or to the view that changes it. */
function inOrder(node: Node): Node {
  while (isView(node) && keepsOrder.has(node.op)) node = node.inputs[0];
  return node;
}

/** The input's axis indices from the view's. */
function through(node: Node, axes: readonly Affine[], dims: Dims): readonly Affine[] | undefined {
  const x = node.inputs[0];
  switch (node.op) {
    case "identity":
    case "stopGradient":
    case "custom":
      return axes;
    case "permute": {
      const out: Affine[] = [];
      (node.attributes.axes as number[]).forEach((a, i) => {
        out[a] = axes[i];
      });
      return out;
    }
    case "broadcast":
      return axes.map((a, i) => (x.shape[i] === 1 ? zero(dims) : a));
    case "slice": {
      const { begin, step } = node.attributes as { begin: number[]; step: number[] };
      return axes.map((a, i) => plus(times(a, step[i]), { ...zero(dims), constant: begin[i] }));
    }
    case "windows": {
      const { axis, stride, dilation } = node.attributes as Record<string, number>;
      const joined = plus(times(axes[axis], stride), times(axes[axis + 1], dilation));
      return [...axes.slice(0, axis), joined, ...axes.slice(axis + 2)];
    }
    default: {
      // reshape
      const flat = flatten(axes, stridesOf(node.shape), dims);
      return unflatten(flat, x.shape, stridesOf(x.shape), dims);
    }
  }
}
