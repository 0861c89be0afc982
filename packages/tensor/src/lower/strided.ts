import type { Node } from "../graph.ts";
import type { Operand, Value } from "../kernel/kernel.ts";
import { stridesOf } from "../shape.ts";
import { type Affine, zero } from "./affine.ts";
import type { Fusion } from "./fuse.ts";
import { collapse, Emitter, nest } from "./loops.ts";
import { operations } from "./operations.ts";
import type { Lowered } from "./rows.ts";
import { isLeaf, reduceOps, resolve } from "./views.ts";

/** A node's elements in memory: element `i` is at `offset + Σ strides · i` of the base. */
export interface Strided {
  readonly base: Node;
  readonly offset: number;
  readonly strides: readonly number[];
  readonly shape: readonly number[];
}

/** How to address an argument of an operation that has a kernel of its own. */
export function stridedView(node: Node, fusion: Fusion): Strided {
  const dims = node.shape;
  const axes = dims.map(
    (d, i): Affine =>
      d === 1 ? zero(dims) : { constant: 0, coefficients: dims.map((_, k) => (k === i ? 1 : 0)) },
  );
  const s = resolve(node, axes, dims, (n) => fusion.unitOf.has(n));
  if ("stuck" in s) throw new Error(`internal: ${s.stuck.op} was not stored for a kernel.`);
  // Numbers that are written into code elsewhere are in memory only as a whole.
  if (isLeaf(s.base)) return whole(node);
  return { base: s.base, offset: s.flat.constant, strides: s.flat.coefficients, shape: node.shape };
}

/** Where the last two axes of a node step in memory, and through which node: for what is not lowered yet. */
export function layoutOf(node: Node): { base: Node; strides: readonly number[] } {
  const dims = node.shape;
  const axes = dims.map(
    (_, i): Affine => ({ constant: 0, coefficients: dims.map((_, k) => (k === i ? 1 : 0)) }),
  );
  const s = resolve(node, axes, dims, () => false);
  if ("stuck" in s) return { base: s.stuck, strides: stridesOf(node.shape).slice(-2) };
  return { base: s.base, strides: s.flat.coefficients.slice(-2) };
}

/** Whether groups compute a node, rather than a kernel of its own or the caller. */
export const computed = (base: Node) => operations[base.op] !== undefined || reduceOps.has(base.op);

/** All of a node's own memory. */
export function whole(node: Node): Strided {
  return { base: node, offset: 0, strides: stridesOf(node.shape), shape: node.shape };
}

/** Whether the view is all of its base, in order. */
export function isWhole(v: Strided): boolean {
  const plain = stridesOf(v.shape);
  return (
    v.offset === 0 &&
    v.shape.every((d, i) => d === 1 || v.strides[i] === plain[i]) &&
    v.shape.reduce((n, d) => n * d, 1) === v.base.shape.reduce((n, d) => n * d, 1)
  );
}

/** The affine address of a strided view in loops over its shape. */
export const addressOf = (v: Strided): Affine => ({ constant: v.offset, coefficients: v.strides });

/** Writes `value(index)` to every element of `to`: a copy, or a constant. */
export function copyKernel(
  from: Strided | number,
  to: Strided,
  label: string,
  start?: { node: Node; stride: number; limit: number },
): Lowered {
  const e = new Emitter(new Set([to.base]));
  const b = e.builder;
  const target = addressOf(to);
  const source = typeof from === "number" ? undefined : addressOf(from);
  const order = to.shape.flatMap((d, i) => (d === 1 ? [] : [i]));
  const loops = collapse(to.shape, order, source ? [target, source] : [target]);
  const parallel = b.parallel();
  const outer = loops.length > 1 ? loops[0] : undefined;
  if (outer) e.variables.set(outer.dim, parallel);
  nest(e, outer ? loops.slice(1) : loops, true, () => {
    const v =
      typeof from === "number"
        ? b.constant(to.base.dtype === "u8" ? "i32" : to.base.dtype, from)
        : e.load(from.base, source!);
    b.store(
      e.param(to.base),
      e.index(target, start && { value: clampedStart(e, start), coefficient: start.stride }),
      v,
    );
  });
  return {
    kernel: b.kernel(parallel, label),
    args: e.args,
    extent: outer?.extent ?? 1,
    scratchBytes: e.scratchBytes,
  };
}

/** A run-time start, kept within its range. */
export function clampedStart(e: Emitter, start: { node: Node; limit: number }): Operand {
  const b = e.builder;
  const raw = b.load(e.param(start.node), { constant: 0, terms: [] });
  return b.op("i32", "min", b.op("i32", "max", raw, b.constant("i32", 0)), b.constant("i32", start.limit));
}

/** `constant + Σ coefficient · variable` as an index. */
export function indexOf(constant: number, ...terms: [Value, number][]) {
  return { constant, terms: terms.map(([variable, coefficient]) => ({ variable, coefficient })) };
}
