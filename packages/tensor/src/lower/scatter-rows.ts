import type { NodeOf } from "../graph.ts";
import type { Value } from "../kernel/kernel.ts";
import type { Fusion } from "./fuse.ts";
import { collapse, Emitter, nest } from "./loops.ts";
import type { Lowered } from "./lowered-kernel.ts";
import { addressOf, stridedView, whole } from "./strided-view.ts";

/** Columns of a row from which threads share it, and rows up to which each may compare its position with all others. */
const fewestColumns = 64;
const mostRows = 16384;

/**
 * Adds rows to the rows of the result at positions read from memory, such as gradients of embeddings, for a device with many threads. The first
 * row of each position adds all rows of that position, in order; undefined where one row after the other is as fast.
 */
export function scatterRowsKernel(node: NodeOf<"scatterAdd">, fusion: Fusion): Lowered | undefined {
  const { axis } = node.attributes;
  const [indices, source] = node.inputs;
  const [from, at] = [stridedView(source, fusion), stridedView(indices, fusion)];
  const out = whole(node);
  const { shape } = source;
  const target = { constant: 0, coefficients: out.strides.map((s, i) => (i === axis ? 0 : s)) };
  const accesses = [addressOf(from), addressOf(at), target];
  const pick = (f: (i: number) => boolean) =>
    collapse(
      shape,
      shape.flatMap((d, i) => (d !== 1 && f(i) ? [i] : [])),
      accesses,
    );
  const [outer, along, inner] = [pick((i) => i < axis), pick((i) => i === axis), pick((i) => i > axis)];
  if (outer.length > 0 || along.length !== 1 || inner.length !== 1) return undefined;
  const [{ extent: rows, dim }] = along;
  // The position of a row is one for all columns.
  if (addressOf(at).coefficients[inner[0].dim] !== 0) return undefined;
  if (inner[0].extent < fewestColumns || rows > mostRows) return undefined;
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const parallel = b.parallel();
  const positionOf = (row: Value) => {
    e.variables.set(dim, row);
    const raw = e.load(at.base, addressOf(at));
    const most = b.constant("i32", node.shape[axis] - 1);
    return b.op("i32", "min", b.op("i32", "max", raw, b.constant("i32", 0)), most);
  };
  const own = positionOf(parallel);
  const earlier = b.variable(b.constant("i32", 0), true);
  b.loop(rows, true, (row) => {
    const same = b.op("i32", "eq", positionOf(row), own);
    const before = b.op("i32", "lt", row, parallel);
    const one = b.op("bool", "booltoi32", b.op("bool", "and", same, before));
    b.assign(earlier, b.fresh("i32", "add", earlier, one));
  });
  b.when(b.op("i32", "eq", b.combine(earlier, "add"), b.constant("i32", 0)), () => {
    const none = b.constant("i32", rows);
    const next = b.variable(parallel);
    b.repeat(
      () => b.fresh("i32", "lt", next, none),
      () => {
        // A value of this iteration, which no load is moved out of.
        const now = b.fresh("i32", "add", next, b.constant("i32", 0)) as Value;
        e.variables.set(dim, now);
        nest(e, inner, true, () => {
          const v = e.load(from.base, addressOf(from));
          const index = e.index(target, { value: own, coefficient: out.strides[axis] });
          const p = e.param(node);
          b.store(p, index, b.fresh(v.type, "add", b.freshLoad(p, index), v));
        });
        const later = b.variable(none, true);
        b.loop(rows, true, (row) => {
          const same = b.op("i32", "eq", positionOf(row), own);
          const after = b.op("i32", "gt", row, now);
          const found = b.op("i32", "select", b.op("bool", "and", same, after), row, none);
          b.assign(later, b.fresh("i32", "min", later, found));
        });
        b.assign(next, b.combine(later, "min"));
      },
    );
  });
  // A thread always has the same columns.
  const kernel = { ...b.kernel(parallel, node.op), columns: true };
  return { kernel, args: e.args, extent: rows, scratchBytes: 0 };
}
