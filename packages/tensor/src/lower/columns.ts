import { computeType } from "../dtype.ts";
import type { Node } from "../graph.ts";
import type { Operand } from "../kernel/kernel.ts";
import type { Fusion } from "./fuse.ts";
import { accessesOf, collapse, Emitter, nest } from "./loops.ts";
import { members } from "./members.ts";
import { accumulate, type Lowered, labelOf, starts } from "./rows.ts";
import { keptDims, type Unit } from "./unit.ts";

/** Columns that one thread takes at a time. Fixed, so that results never depend on the thread count. */
const block = 256;

/**
 * A kernel that reduces leading dimensions: rows are visited in order and added, element by element, into a row of partial results
 * in scratch memory. Members of full shape are computed, and stored, on the way.
 */
export function lowerColumns(unit: Unit, fusion: Fusion): Lowered {
  const list = members(unit, fusion);
  const own = new Map(list.map((m) => [m.node, m]));
  const stored = list.filter((m) => fusion.stored.has(m.node) && !m.reduces);
  const sums = list.filter((m) => m.reduces);
  const e = new Emitter(new Set(stored.map((m) => m.node)));
  const b = e.builder;
  const accesses = accessesOf(list, fusion.stored);
  // Trailing kept dimensions are the columns; other kept ones are outer loops.
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
  const extent = blocked ? Math.ceil(columns[0].extent / block) : (outer[0]?.extent ?? 1);
  if (outer[0]) e.variables.set(outer[0].dim, parallel);
  nest(e, outer.slice(1), false, () => {
    across(() => {
      sums.forEach((m, i) => {
        const type = computeType(m.node.dtype) as "f32";
        b.store(partial[i], at(), b.constant(type, starts[m.node.op](type)));
      });
    });
    nest(e, rows, false, () => across(visit));
    across(() => {
      sums.forEach((m, i) => b.store(e.param(m.node), e.index(m.home), b.freshLoad(partial[i], at())));
    });
  });
  return { kernel: b.kernel(parallel, labelOf(list)), args: e.args, extent, scratchBytes: e.scratchBytes };

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
    if (!blocked) return nest(e, columns, true, body);
    const from = b.op("i32", "mul", parallel, b.constant("i32", block));
    const to = b.op(
      "i32",
      "min",
      b.op("i32", "add", from, b.constant("i32", block)),
      b.constant("i32", columns[0].extent),
    );
    b.loop(
      to,
      true,
      (v) => {
        e.variables.set(columns[0].dim, v);
        body();
      },
      from,
    );
  }

  function visit(): void {
    const values = new Map<Node, Operand>();
    const value = (n: Node): Operand => {
      let v = values.get(n);
      if (!v) values.set(n, (v = e.compute(own.get(n)!, value)));
      return v;
    };
    const results = stored.map((m) => value(m.node));
    const terms = sums.map((m) => e.read(m.reads[0], value));
    stored.forEach((m, i) => b.store(e.param(m.node), e.index(m.home), results[i]));
    sums.forEach((m, i) =>
      b.store(partial[i], at(), accumulate(e, m.node.op as "sum", b.freshLoad(partial[i], at()), terms[i])),
    );
  }
}
