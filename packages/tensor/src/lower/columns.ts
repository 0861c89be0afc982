import { computeType } from "../dtype.ts";
import type { Node } from "../graph.ts";
import type { Operand, Value } from "../kernel/kernel.ts";
import type { Fusion } from "./fuse.ts";
import {
  accessesOf,
  type Collapsed,
  collapse,
  Emitter,
  independently,
  nest,
  shareOf,
  shares,
} from "./loops.ts";
import { type Lowered, labelOf } from "./lowered-kernel.ts";
import { isReducer, members } from "./members.ts";
import { accumulate, starts, termOf } from "./sums.ts";
import { keptDims, type Unit } from "./unit.ts";

/** Columns per work item. Fixed, so that results never depend on the number of threads. */
const block = 256;
/** Rows that are added to a column's sum between loading and storing it. */
const together = 4;

/**
 * A kernel that reduces leading dimensions: rows are visited in order and added, element by element, to a row of partial results
 * in scratch memory. Members of full shape are computed, and stored, in the same pass.
 */
export function lowerColumns(unit: Unit, fusion: Fusion): Lowered {
  const list = members(unit, fusion);
  const own = new Map(list.map((m) => [m.node, m]));
  const stored = list.filter((m) => fusion.stored.has(m.node) && !m.reduces);
  const sums = list.filter(isReducer);
  const e = new Emitter(new Set(stored.map((m) => m.node)));
  const b = e.builder;
  const accesses = accessesOf(list, fusion.stored);
  // Trailing kept dimensions are the columns; the other kept dimensions are outer loops.
  const lastReduced = unit.reduced!.lastIndexOf(true);
  const kept = keptDims(unit);
  const columns = collapse(
    unit.dims,
    kept.filter((d) => d > lastReduced),
    accesses,
  );
  const outer = collapse(
    unit.dims,
    kept.filter((d) => d < lastReduced),
    accesses,
  );
  const rows = collapse(
    unit.dims,
    unit.dims.flatMap((_, d) => (unit.reduced![d] ? [d] : [])),
    accesses,
  );
  const width = columns.reduce((n, d) => n * d.extent, 1);
  const partial = sums.map((m) => e.scratch(m.node.dtype, width));

  const parallel = b.parallel();
  const blocked = outer.length === 0 && columns.length === 1 && columns[0].extent > block;
  const extent = blocked ? shares(columns[0], block) : (outer[0]?.extent ?? 1);
  if (outer[0]) e.variables.set(outer[0].dim, parallel);
  independently(e, outer.slice(1), false, () => {
    across(() => {
      sums.forEach((m, i) => {
        const type = computeType(m.node.dtype) as "f32";
        b.store(partial[i], at(), b.constant(type, starts[m.node.op](type)));
      });
    });
    nest(e, rows.slice(0, -1), false, () => overRows(rows[rows.length - 1]));
    across(() => {
      sums.forEach((m, i) => b.store(e.param(m.node), e.index(m.home), b.freshLoad(partial[i], at())));
    });
  });
  const kernel = { ...b.kernel(parallel, labelOf(list)), columns: true };
  return { kernel, args: e.args, extent, scratchBytes: e.scratchBytes };

  /** The position of the current column in a row of partial results. */
  function at() {
    let stride = 1;
    const terms = [...columns].reverse().map((d) => {
      const term = { variable: e.variables.get(d.dim)!, coefficient: stride };
      stride *= d.extent;
      return term;
    });
    return { constant: 0, terms };
  }

  /** The loop over columns, or over this thread's block of them. */
  function across(body: () => void): void {
    if (blocked) shareOf(e, columns[0], block, parallel, body);
    else nest(e, columns, true, body);
  }

  /** Rows in order, several of them between loading and storing a sum. */
  function overRows(loop: Collapsed): void {
    const groups = loop.extent >= 2 * together ? Math.floor(loop.extent / together) : 0;
    const visitAll = (count: number) => (v: Value) => {
      e.variables.set(loop.dim, v);
      e.scale.set(loop.dim, count);
      across(() => visit(loop.dim, count));
      e.scale.delete(loop.dim);
    };
    if (groups > 0) b.loop(groups, false, visitAll(together));
    const done = groups * together;
    if (done < loop.extent)
      b.loop(loop.extent, false, visitAll(1), done > 0 ? b.constant("i32", done) : undefined);
  }

  function visit(row: number, count: number): void {
    let totals = sums.map((_, i) => b.freshLoad(partial[i], at()));
    for (let u = 0; u < count; u++) {
      e.ahead.set(row, u);
      const values = new Map<Node, Operand>();
      const value = (n: Node): Operand => {
        let v = values.get(n);
        if (!v) values.set(n, (v = e.compute(own.get(n)!, value)));
        return v;
      };
      const unkept = (n: Node) => (fusion.stored.has(n) ? undefined : own.get(n));
      const results = stored.map((m) => value(m.node));
      const terms = sums.map((m) => termOf(e, m, value, unkept));
      stored.forEach((m, i) => b.store(e.param(m.node), e.index(m.home), results[i]));
      totals = sums.map((m, i) => accumulate(e, m.node.op, totals[i], terms[i]));
    }
    e.ahead.delete(row);
    sums.forEach((_, i) => b.store(partial[i], at(), totals[i]));
  }
}
