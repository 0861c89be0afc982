import type { NodeOf } from "../graph.ts";
import type { Builder } from "../kernel/builder.ts";
import type { Operand, Value } from "../kernel/kernel.ts";
import type { Fusion } from "./fuse.ts";
import { collapse, Emitter, independently } from "./loops.ts";
import type { Lowered } from "./lowered-kernel.ts";
import { addressOf, indexOf, stridedView, whole } from "./strided-view.ts";

/** Below this length, counting smaller elements, which vectorises, is faster than merging. */
const countingLimit = 128;

/** A line of elements in scratch memory to be sorted. */
interface Line {
  readonly b: Builder;
  readonly param: number;
  readonly length: number;
  /** Whether `p` comes strictly before `q`. */
  before(p: Operand, q: Operand): Operand;
  /** Writes that element number `from` goes to position `to`. */
  put(from: Operand, to: Operand): void;
  /** Writes all positions from their order in scratch memory. */
  putAll(order: number): void;
}

/** The order that sorts each line along the axis; stable, and NaN is the largest. */
export function argsortKernel(node: NodeOf<"argsort">, fusion: Fusion): Lowered {
  const { axis, descending } = node.attributes;
  const from = stridedView(node.inputs[0], fusion);
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const shape = node.shape;
  const n = shape[axis];
  const type = node.inputs[0].dtype as "f32" | "i32" | "u32";
  const [x, y] = [addressOf(from), addressOf(whole(node))];
  const loops = collapse(
    shape,
    shape.flatMap((d, i) => (d !== 1 && i !== axis ? [i] : [])),
    [x, y],
  );
  const start = { constant: 0, coefficients: y.coefficients.map((c, k) => (k === axis ? 0 : c)) };
  const along = (f: (i: Value) => void) =>
    b.loop(n, true, (i) => {
      e.variables.set(axis, i);
      f(i);
      e.variables.delete(axis);
    });
  const line: Line = {
    b,
    param: e.scratch(type, n),
    length: n,
    before: (p, q) => isBefore(b, type, ...(descending ? ([q, p] as const) : ([p, q] as const))),
    put: (element, to) =>
      b.store(e.param(node), e.index(start, { value: to, coefficient: y.coefficients[axis] }), element),
    putAll: (order) =>
      along((i) => b.store(e.param(node), e.index(y), b.freshLoad(order, indexOf(0, [i, 1])))),
  };
  const spare = n > countingLimit ? [e.scratch("i32", n), e.scratch("i32", n)] : undefined;
  const parallel = b.parallel();
  if (loops[0]) e.variables.set(loops[0].dim, parallel);
  independently(e, loops.slice(1), false, () => {
    along((i) => b.store(line.param, indexOf(0, [i, 1]), b.freshLoad(e.param(from.base), e.index(x))));
    if (spare) byMerging(line, spare[0], spare[1]);
    else byCounting(line);
  });
  return {
    kernel: b.kernel(parallel, "argsort"),
    args: e.args,
    extent: loops[0]?.extent ?? 1,
    scratchBytes: e.scratchBytes,
  };
}

/** `p < q`, where NaN is larger than everything else. */
function isBefore(b: Builder, type: "f32" | "i32" | "u32", p: Operand, q: Operand): Operand {
  const less = b.fresh(type, "lt", p, q);
  if (type !== "f32") return less;
  return b.fresh(
    "bool",
    "or",
    less,
    b.fresh("bool", "and", b.fresh("f32", "eq", p, p), b.fresh("f32", "ne", q, q)),
  );
}

/** An element's position is the number of elements before it. */
function byCounting({ b, param, length, before, put }: Line): void {
  b.loop(length, false, (i) => {
    const own = b.freshLoad(param, indexOf(0, [i, 1]));
    const rank = b.variable(b.constant("i32", 0), true);
    b.loop(length, true, (j) => {
      const other = b.freshLoad(param, indexOf(0, [j, 1]));
      const tie = b.fresh(
        "bool",
        "and",
        b.fresh("bool", "not", before(own, other)),
        b.fresh("i32", "lt", j, i),
      );
      const counts = b.fresh("bool", "or", before(other, own), tie);
      b.assign(rank, b.fresh("i32", "add", rank, b.fresh("bool", "booltoi32", counts)));
    });
    put(i, b.combine(rank, "add"));
  });
}

/** Bottom-up merge sort of indices: runs of 1, 2, 4 … elements, merged from `order` into `spare` and copied back. */
function byMerging({ b, param, length, before, putAll }: Line, order: number, spare: number): void {
  const one = b.constant("i32", 1);
  const all = b.constant("i32", length);
  const at = (v: Operand) => ({ constant: 0, terms: [], dynamic: [{ value: v, coefficient: 1 }] });
  const add = (p: Operand, q: Operand) => b.fresh("i32", "add", p, q);
  const merge = (low: Value, middle: Operand, high: Operand) => {
    const [i, j, k] = [b.variable(low), b.variable(middle), b.variable(low)];
    b.repeat(
      () => b.fresh("i32", "lt", k, high),
      () => {
        // Beyond a run's end any in-range index works: the choice below does not depend on it.
        const left = b.freshLoad(order, at(b.fresh("i32", "min", i, b.constant("i32", length - 1))));
        const right = b.freshLoad(order, at(b.fresh("i32", "min", j, b.constant("i32", length - 1))));
        const sooner = before(b.freshLoad(param, at(right)), b.freshLoad(param, at(left)));
        const useRight = b.fresh(
          "bool",
          "or",
          b.fresh("i32", "ge", i, middle),
          b.fresh("bool", "and", b.fresh("i32", "lt", j, high), sooner),
        );
        b.store(spare, at(k), b.fresh("i32", "select", useRight, right, left));
        const step = b.fresh("bool", "booltoi32", useRight);
        b.assign(j, add(j, step));
        b.assign(i, add(i, b.fresh("i32", "sub", one, step)));
        b.assign(k, add(k, one));
      },
    );
  };
  b.loop(length, true, (i) => b.store(order, indexOf(0, [i, 1]), i));
  const width = b.variable(one);
  b.repeat(
    () => b.fresh("i32", "lt", width, all),
    () => {
      const low = b.variable(b.constant("i32", 0));
      b.repeat(
        () => b.fresh("i32", "lt", low, all),
        () => {
          const middle = b.fresh("i32", "min", add(low, width), all);
          const high = b.fresh("i32", "min", add(middle, width), all);
          merge(low, middle, high);
          b.assign(low, high);
        },
      );
      b.loop(length, true, (i) => b.store(order, indexOf(0, [i, 1]), b.freshLoad(spare, indexOf(0, [i, 1]))));
      b.assign(width, add(width, width));
    },
  );
  putAll(order);
}
