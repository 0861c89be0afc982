import type { NodeOf } from "../graph.ts";
import { type Index, laneCount, type Operand, type Value } from "../kernel/kernel.ts";
import { elementwise } from "../math/elementwise.ts";
import { sizeOf, stridesOf } from "../shape.ts";
import { blockWeights, fillsVectors } from "./attend-block.ts";
import type { Fusion } from "./fuse.ts";
import { Emitter } from "./loops.ts";
import type { Lowered } from "./lowered-kernel.ts";
import { type Strided, stridedView, whole } from "./strided-view.ts";
import { accumulate } from "./sums.ts";

/**
 * Keys whose scores are summed side by side, so that a sum need not wait for itself, and values that are added between loading and
 * storing a result. Caches come from far: with eight, which are as many streams of memory, 1024 positions took a third longer.
 */
const together = 4;

/** An index `times · variable + plus`. */
interface Step {
  readonly variable: Value;
  readonly times: number;
  readonly plus: number;
}
const just = (variable: Value): Step => ({ variable, times: 1, plus: 0 });
const zero = (variable: Value): Step => ({ variable, times: 0, plus: 0 });

/**
 * Attention to the leading keys of each item, or of the entry that `rows` names, whose number is read at run time: loops end there, so that later keys cost nothing and
 * change nothing. The order of sums depends on the item's own length alone. A causal block has the bits of the masked product of at
 * most 16 queries: dot products in lanes, weights divided by their total before they meet the values.
 */
export function attendKernel(node: NodeOf<"attend">, fusion: Fusion): Lowered {
  const [q, k, v, lengths, rows] = node.inputs.map((n) => stridedView(n, fusion));
  const lead = node.shape.slice(0, -2);
  const [queries, wide] = node.shape.slice(-2);
  const [slots, width] = k.shape.slice(-2);
  const room = laneCount * Math.ceil(slots / laneCount);
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const { scale, causal } = node.attributes;
  const item = b.parallel();
  const [scores, sums, totals] = [queries * room, queries * wide, queries].map((n) => e.scratch("f32", n));
  const start = startsOf(e, item, lead);
  const f32 = (x: number) => b.constant("f32", x);
  const i32 = (x: number) => b.constant("i32", x);
  const startOfEntry = rows ? entriesOf(e, item, lead, rows) : start;
  const read = (view: Strided, row: Step, d: Value | Step) =>
    b.freshLoad(e.param(view.base), element((view === q ? start : startOfEntry)(view), view.strides, row, d));
  const own = (size: number, i: Value, column: Step) => element(nowhere, [size, 1], just(i), column);
  const inVectors = causal && fillsVectors(queries, width);
  const score = (i: Value, key: Step) =>
    inVectors ? element(nowhere, [queries, 1], key, just(i)) : own(room, i, key);

  const length = b.load(e.param(lengths.base), start(lengths));
  const bounded = (n: Operand) => b.fresh("i32", "min", b.fresh("i32", "max", n, i32(0)), i32(slots));
  const seen = bounded(length);
  // Keys that the first query of a causal block sees, before bounds; a negative length must not wrap around.
  const least = b.op("i32", "sub", b.op("i32", "max", length, i32(0)), i32(queries - 1));
  const seenBy = (i: Value) => (causal ? bounded(b.fresh("i32", "add", least, i)) : seen);

  // The keys that all queries see together, then those that only later queries see: 0 · NaN of a hidden value would be NaN.
  const shared = causal ? bounded(least) : seen;
  const blockTotals = inVectors
    ? blockWeights(e, {
        ...{ queries, width, scale, seen, seenBy, weights: scores },
        query: (i, d) => read(q, just(i), d),
        key: (p, d) => read(k, just(p), { variable: p, times: 0, plus: d }),
      })
    : undefined;
  if (blockTotals === undefined) weightsOfQueries();
  /** Divides the weights of keys just before they meet the values: processors do both at the same time. */
  const divide = (keys: readonly Step[]) => {
    if (blockTotals === undefined) return;
    b.loop(queries, true, (i) => {
      const total = b.freshLoad(blockTotals, own(1, i, zero(i)));
      for (const key of keys) {
        const weight = b.freshLoad(scores, score(i, key));
        b.store(scores, score(i, key), b.fresh("f32", "div", weight, total));
      }
    });
  };
  b.loop(queries, false, (i) => b.loop(wide, true, (d) => b.store(sums, own(wide, i, just(d)), f32(0))));
  const addValues = (i: Value, keys: readonly Step[]) => {
    const weights = keys.map((key) => b.freshLoad(scores, score(i, key)));
    b.loop(wide, true, (d) => {
      const each = keys.map((key) => read(v, key, d));
      const before = b.freshLoad(sums, own(wide, i, just(d)));
      const after = each.reduce((s, x, u) => b.fresh("f32", "fma", weights[u], x, s), before);
      b.store(sums, own(wide, i, just(d)), after);
    });
  };
  inBlocks(shared, (keys) => {
    divide(keys);
    b.loop(queries, false, (i) => addValues(i, keys));
  });
  if (causal)
    b.loop(
      seen,
      false,
      (p) => {
        divide([just(p)]);
        const first = b.fresh("i32", "sub", b.fresh("i32", "add", p, i32(1)), least);
        b.loop(queries, false, (i) => addValues(i, [just(p)]), b.fresh("i32", "max", first, i32(0)));
      },
      shared,
    );
  b.loop(queries, false, (i) => {
    // A query that sees nothing gives 0.
    const some = b.fresh("i32", "gt", seenBy(i), i32(0));
    const total = () => b.freshLoad(totals, own(1, i, zero(i)));
    const inverse = causal
      ? undefined
      : b.fresh("f32", "div", f32(1), b.fresh("f32", "select", some, total(), f32(1)));
    const out = whole(node);
    b.loop(wide, true, (d) => {
      const s = b.freshLoad(sums, own(wide, i, just(d)));
      const result = inverse ? b.fresh("f32", "mul", s, inverse) : b.fresh("f32", "select", some, s, f32(0));
      b.store(e.param(node), element(start(out), out.strides, just(i), d), result);
    });
  });
  return {
    kernel: b.kernel(item, "attend"),
    args: e.args,
    extent: sizeOf(lead),
    scratchBytes: e.scratchBytes,
  };

  /** Attention weights of one query after the other; without `causal`, not yet divided by their totals. */
  function weightsOfQueries(): void {
    inBlocks(seen, (keys) =>
      b.loop(queries, false, (i) => {
        const parts = keys.map(() => b.variable(f32(0), true));
        b.loop(width, true, (d) => {
          const x = read(q, just(i), d);
          const each = keys.map((key) => read(k, key, d));
          parts.forEach((s, u) => b.assign(s, b.fresh("f32", "fma", x, each[u], s)));
        });
        keys.forEach((key, u) => {
          const s = b.fresh("f32", "mul", b.combine(parts[u], "add"), f32(scale));
          b.store(scores, own(room, i, key), s);
        });
      }),
    );
    // Weights are computed in whole vectors: one by one, those left over took as long as the rest.
    const vectors = b.op("i32", "div", b.op("i32", "add", seen, i32(laneCount - 1)), i32(laneCount));
    const filled = b.op("i32", "mul", vectors, i32(laneCount));
    b.loop(queries, false, (i) => {
      // Hidden keys get weight 0.
      const fill = (p: Value) => b.store(scores, own(room, i, just(p)), f32(Number.NEGATIVE_INFINITY));
      b.loop(filled, false, fill, seenBy(i));
      const most = b.variable(f32(Number.NEGATIVE_INFINITY), true);
      b.loop(filled, true, (p) => {
        const s = b.freshLoad(scores, own(room, i, just(p)));
        b.assign(most, accumulate(e, "max", most, [s]));
      });
      const top = b.combine(most, "max");
      const total = b.variable(f32(0), true);
      b.loop(filled, true, (p) => {
        const s = b.freshLoad(scores, own(room, i, just(p)));
        const weight = elementwise.exp<Operand>(b, "f32", {}, [b.fresh("f32", "sub", s, top)]);
        b.assign(total, b.fresh("f32", "add", total, weight));
        b.store(scores, own(room, i, just(p)), weight);
      });
      const all = b.combine(total, "add");
      if (causal)
        b.loop(filled, true, (p) => {
          const weight = b.freshLoad(scores, own(room, i, just(p)));
          b.store(scores, own(room, i, just(p)), b.fresh("f32", "div", weight, all));
        });
      else b.store(totals, own(1, i, zero(i)), all);
    });
  }

  /** Leading keys, some at a time, then the remaining ones one by one. */
  function inBlocks(count: Operand, body: (keys: readonly Step[]) => void): void {
    const blocks = b.op("i32", "div", count, i32(together));
    b.loop(blocks, false, (t) =>
      body(Array.from({ length: together }, (_, u) => ({ variable: t, times: together, plus: u }))),
    );
    b.loop(count, false, (p) => body([just(p)]), b.op("i32", "mul", blocks, i32(together)));
  }
}

const nowhere: Index = { constant: 0, terms: [] };

/** An element of the matrix at `from`. */
function element(from: Index, strides: readonly number[], row: Step, column: Step | Value): Index {
  const [across, along] = strides.slice(-2);
  const next = "id" in column ? just(column) : column;
  const terms = [
    { variable: row.variable, coefficient: row.times * across },
    { variable: next.variable, coefficient: next.times * along },
  ];
  return {
    ...from,
    constant: from.constant + row.plus * across + next.plus * along,
    terms: [...from.terms, ...terms.filter((t) => t.coefficient !== 0)],
  };
}

/** Where each view's part for an item begins. Items are counted through all leading axes; a view that steps unevenly needs their indices. */
function startsOf(e: Emitter, item: Value, lead: readonly number[]): (view: Strided) => Index {
  const b = e.builder;
  const inner = stridesOf(lead);
  const axes = lead.flatMap((d, i) => (d === 1 ? [] : [i]));
  return ({ offset, strides }) => {
    const [stride = 0, ...others] = axes.map((i) => strides[i] / inner[i]);
    if (others.every((s) => s === stride))
      return { constant: offset, terms: stride ? [{ variable: item, coefficient: stride }] : [] };
    const dynamic = axes.map((i) => {
      const past = b.op("i32", "div", item, b.constant("i32", inner[i]));
      return { value: b.op("i32", "rem", past, b.constant("i32", lead[i])), coefficient: strides[i] };
    });
    return { constant: offset, terms: [], dynamic };
  };
}

/** Where the keys or values of an item's entry begin: `rows` holds the index of the entry, one per index of the first leading axis. */
function entriesOf(
  e: Emitter,
  item: Value,
  lead: readonly number[],
  rows: Strided,
): (view: Strided) => Index {
  const b = e.builder;
  const i32 = (x: number) => b.constant("i32", x);
  const [inner, ...steps] = stridesOf(lead);
  const first = b.op("i32", "div", item, i32(inner));
  const at = { constant: rows.offset, terms: [], dynamic: [{ value: first, coefficient: rows.strides[0] }] };
  const named = b.op("i32", "max", b.load(e.param(rows.base), at), i32(0));
  const others = steps.map((step, i) =>
    b.op("i32", "rem", b.op("i32", "div", item, i32(step)), i32(lead[i + 1])),
  );
  return ({ offset, strides, shape }) => {
    const indices = [b.op("i32", "min", named, i32(shape[0] - 1)), ...others];
    const scaled = indices.map((value, i) => b.op("i32", "mul", value, i32(strides[i])));
    const value = scaled.reduce((sum, x) => b.op("i32", "add", sum, x));
    return { constant: offset, terms: [], dynamic: [{ value, coefficient: 1 }] };
  };
}
