import type { Node } from "../graph.ts";
import { type Affine, flatten, home, zero } from "./affine.ts";
import type { Fusion } from "./fuse.ts";
import { stridedView } from "./strided.ts";
import { homeOf, indirect, keptDims, levelOf, readsOf, type Unit } from "./unit.ts";
import { isWritten, reduceOps, resolve } from "./views.ts";

/** How a member of a group gets one of its arguments. */
export type Read =
  | { readonly kind: "member"; readonly node: Node }
  | { readonly kind: "memory"; readonly node: Node; readonly flat: Affine }
  | { readonly kind: "index"; readonly affine: Affine }
  | { readonly kind: "constant"; readonly node: Node };

/** A table read at a computed position: element `flat + stride · position`, the position clamped to `extent`. */
export interface Table {
  readonly node: Node;
  readonly flat: Affine;
  readonly stride: number;
  readonly extent: number;
}

/** A node of a group with everything that code generation needs to know. */
export interface Member {
  readonly node: Node;
  readonly level: "full" | "row";
  readonly reduces: boolean;
  readonly reads: readonly Read[];
  readonly table: Table | undefined;
  /** Where its result is written, if it is. */
  readonly home: Affine;
}

const described = new WeakMap<Unit, Member[]>();

/** The members of a finished group in the order in which they are computed. */
export function members(unit: Unit, fusion: Fusion): Member[] {
  let list = described.get(unit);
  if (!list) described.set(unit, (list = describe(unit, fusion)));
  return list;
}

function describe(unit: Unit, fusion: Fusion): Member[] {
  const { unitOf } = fusion;
  return unit.nodes.map((node) => {
    const level = levelOf(unit, node);
    const which = level === "row" ? keptDims(unit) : undefined;
    const inMemory = (n: Node) => unitOf.has(n) && n !== node;
    const read = (input: Node, axes: readonly Affine[]): Read => {
      const s = resolve(input, axes, unit.dims, inMemory);
      if ("stuck" in s) throw new Error(`internal: ${s.stuck.op} was not stored for ${node.op}.`);
      if (isWritten(s))
        return s.base.op === "constant"
          ? { kind: "constant", node: s.base }
          : { kind: "index", affine: s.axes![s.base.attributes.axis as number] };
      if (unitOf.get(s.base) === unit && s.base !== node) return { kind: "member", node: s.base };
      return { kind: "memory", node: s.base, flat: s.flat };
    };
    const reads = readsOf(node).map(({ input, shape }) => read(input, home(shape, unit.dims, which)!));
    if (node.op === "iota") reads.push(read(node, home(node.shape, unit.dims, which)!));
    if (node.op === "dynamicSlice") reads.push(read(node.inputs[1], []));
    return {
      node,
      level,
      reads,
      reduces: reduceOps.has(node.op),
      table: indirect(node) ? tableOf(node, unit, fusion) : undefined,
      home: homeOf(unit, node)!,
    };
  });
}

/** Where the table lies does not depend on the group's loops: it is addressed along its own axes. */
function tableOf(node: Node, unit: Unit, fusion: Fusion): Table {
  const table = stridedView(node.inputs[0], fusion);
  const axis = node.attributes.axis as number;
  const slices = node.op === "dynamicSlice";
  // Along the axis a slice moves from its start; a gather has only its position.
  const own = home(node.shape, unit.dims)!.map((a, i) => (i === axis && !slices ? zero(unit.dims) : a));
  const flat = flatten(own, table.strides, unit.dims);
  const extent = table.shape[axis];
  return {
    node: table.base,
    flat: { ...flat, constant: flat.constant + table.offset },
    stride: table.strides[axis],
    extent: slices ? extent - (node.attributes.size as number) + 1 : extent,
  };
}
