import type { Node } from "../graph.ts";
import type { Value } from "../kernel/kernel.ts";
import { sizeOf, stridesOf } from "../shape.ts";
import { type Affine, zero } from "./affine.ts";
import type { Fusion } from "./fuse.ts";
import { isComputed } from "./operations.ts";
import { isLeaf, isReduction, resolve } from "./views.ts";

/** A node's elements in memory: element `i` is at `offset + Σ strides · i` of the base. */
export interface Strided {
  readonly base: Node;
  readonly offset: number;
  readonly strides: readonly number[];
  readonly shape: readonly number[];
}

/** How to address an argument of an operation with a dedicated kernel. */
export function stridedView(node: Node, fusion: Fusion): Strided {
  const dims = node.shape;
  const axes = dims.map(
    (d, i): Affine =>
      d === 1 ? zero(dims) : { constant: 0, coefficients: dims.map((_, k) => (k === i ? 1 : 0)) },
  );
  const s = resolve(node, axes, dims, (n) => fusion.unitOf.has(n));
  if ("stuck" in s) throw new Error(`internal: ${s.stuck.op} was not stored for a kernel.`);
  // Constants that are inlined elsewhere are in memory only as a whole.
  if (isLeaf(s.base)) return whole(node);
  return { base: s.base, offset: s.flat.constant, strides: s.flat.coefficients, shape: node.shape };
}

/** The strides of the last two axes of a node in memory, and their base node: for nodes that are not lowered yet. */
export function layoutOf(node: Node): { base: Node; strides: readonly number[] } {
  const dims = node.shape;
  const axes = dims.map(
    (_, i): Affine => ({ constant: 0, coefficients: dims.map((_, k) => (k === i ? 1 : 0)) }),
  );
  const s = resolve(node, axes, dims, () => false);
  if ("stuck" in s) return { base: s.stuck, strides: stridesOf(node.shape).slice(-2) };
  return { base: s.base, strides: s.flat.coefficients.slice(-2) };
}

/** Whether groups compute a node, rather than a dedicated kernel or the caller. */
export const computed = (base: Node) => isComputed(base) || isReduction(base);

/** All of a node's memory. */
export function whole(node: Node): Strided {
  return { base: node, offset: 0, strides: stridesOf(node.shape), shape: node.shape };
}

/** A node's memory as one line. */
export function line(node: Node): Strided {
  return { base: node, offset: 0, strides: [1], shape: [sizeOf(node.shape)] };
}

/** Whether the view is all of its base, in order. */
export function isWhole(v: Strided): boolean {
  const plain = stridesOf(v.shape);
  return (
    v.offset === 0 &&
    v.shape.every((d, i) => d === 1 || v.strides[i] === plain[i]) &&
    sizeOf(v.shape) === sizeOf(v.base.shape)
  );
}

/** The affine address of a strided view in loops over its shape. */
export const addressOf = (v: Strided): Affine => ({ constant: v.offset, coefficients: v.strides });

/** `constant + Σ coefficient · variable` as an index. */
export function indexOf(constant: number, ...terms: [Value, number][]) {
  return { constant, terms: terms.map(([variable, coefficient]) => ({ variable, coefficient })) };
}
