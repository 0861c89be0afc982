import type { Node, NodeOf } from "../graph.ts";
import type { IndirectReads, Reductions } from "../primitives.ts";
import { type Affine, flatten, home, zero } from "./affine.ts";
import type { Fusion } from "./fuse.ts";
import { stridedView } from "./strided-view.ts";
import { homeOf, keptDims, levelOf, readsOf, type Unit } from "./unit.ts";
import { isIndirect, isReduction, resolve } from "./views.ts";

/** The source of an argument of a member. */
export type Read =
  | { readonly kind: "member"; readonly node: Node }
  | { readonly kind: "memory"; readonly node: Node; readonly flat: Affine }
  | { readonly kind: "index"; readonly affine: Affine }
  | { readonly kind: "constant"; readonly node: NodeOf<"constant"> };

/** A table read at a computed position: element `flat + stride · position`, the position clamped to `extent`. */
export interface Table {
  readonly node: Node;
  readonly flat: Affine;
  readonly stride: number;
  readonly extent: number;
}

/** A node of a group with all information for code generation. */
export interface Member {
  readonly node: Node;
  readonly level: "full" | "row";
  readonly reduces: boolean;
  readonly reads: readonly Read[];
  readonly table: Table | undefined;
  /** Where its result is stored, if it is. */
  readonly home: Affine;
}

/** A member that reduces. */
export interface Reducer extends Member {
  readonly node: NodeOf<keyof Reductions>;
}

export const isReducer = (m: Member): m is Reducer => m.reduces;

const described = new WeakMap<Unit, Member[]>();

/** The members of a finished group in order of computation. */
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
      if (s.base.op === "constant") return { kind: "constant", node: s.base };
      if (s.base.op === "iota" && s.axes) return { kind: "index", affine: s.axes[s.base.attributes.axis] };
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
      reduces: isReduction(node),
      table: isIndirect(node) ? tableOf(node, unit, fusion) : undefined,
      home: homeOf(unit, node)!,
    };
  });
}

/** The table's location does not depend on the group's loops: it is addressed along its own axes. */
function tableOf(node: NodeOf<keyof IndirectReads>, unit: Unit, fusion: Fusion): Table {
  const table = stridedView(node.inputs[0], fusion);
  const { axis } = node.attributes;
  const size = node.op === "dynamicSlice" ? node.attributes.size : undefined;
  // Along the axis, a slice advances from its start; a gather has only its position.
  const own = home(node.shape, unit.dims)!.map((a, i) =>
    i === axis && size === undefined ? zero(unit.dims) : a,
  );
  const flat = flatten(own, table.strides, unit.dims);
  return {
    node: table.base,
    flat: { ...flat, constant: flat.constant + table.offset },
    stride: table.strides[axis],
    extent: table.shape[axis] - (size ?? 1) + 1,
  };
}
