import type { Node } from "../graph.ts";
import { stridesOf } from "../shape.ts";
import { type Affine, home } from "./affine.ts";
import type { Fusion } from "./fuse.ts";
import { homeOf, indirect, keptDims, levelOf, readsOf, type Unit } from "./unit.ts";
import { reduceOps, resolve } from "./views.ts";

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
      if (s.base.op === "constant" && !unitOf.has(s.base)) return { kind: "constant", node: s.base };
      if (s.base.op === "iota" && s.axes && (!unitOf.has(s.base) || s.base === node))
        return { kind: "index", affine: s.axes[s.base.attributes.axis as number] };
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
      reduces: reduceOps.has(node.op) && !isCopy(node),
      table: indirect(node) ? tableOf(node, unit, unitOf) : undefined,
      home: homeOf(unit, node)!,
    };
  });
}

const isCopy = (node: Node) =>
  (node.attributes.axes as number[] | undefined)?.every((a) => node.inputs[0].shape[a] === 1);

function tableOf(node: Node, unit: Unit, unitOf: Fusion["unitOf"]): Table {
  const x = node.inputs[0];
  const axis = node.attributes.axis as number;
  // One more dimension stands for the position, so that its stride can be read off.
  const dims = [...unit.dims, x.shape[axis]];
  const own = home(node.shape, unit.dims)!.map((a) => ({
    constant: a.constant,
    coefficients: [...a.coefficients, 0],
  }));
  const position = { constant: 0, coefficients: dims.map((_, i) => (i === dims.length - 1 ? 1 : 0)) };
  const slices = node.op === "dynamicSlice";
  const axes = own.map((a, i) =>
    i !== axis
      ? a
      : slices
        ? { ...a, coefficients: a.coefficients.map((c, k) => (k === dims.length - 1 ? 1 : c)) }
        : position,
  );
  const s = resolve(x, axes, dims, (n) => unitOf.has(n));
  const from = "stuck" in s ? { base: x, flat: flatOf(x, axes) } : s;
  const coefficients = from.flat.coefficients;
  return {
    node: from.base,
    flat: { constant: from.flat.constant, coefficients: coefficients.slice(0, -1) },
    stride: coefficients[coefficients.length - 1],
    extent: slices ? x.shape[axis] - (node.attributes.size as number) + 1 : x.shape[axis],
  };
}

function flatOf(x: Node, axes: readonly Affine[]): Affine {
  const strides = stridesOf(x.shape);
  return axes.reduce(
    (sum, a, i) => ({
      constant: sum.constant + a.constant * strides[i],
      coefficients: a.coefficients.map((c, d) => sum.coefficients[d] + c * strides[i]),
    }),
    {
      constant: 0,
      coefficients: axes[0].coefficients.map(() => 0),
    },
  );
}
