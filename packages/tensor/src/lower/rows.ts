import type { Node } from "../graph.ts";
import type { Operand, Value } from "../kernel/kernel.ts";
import type { Fusion } from "./fuse.ts";
import { Emitter, independently, nest, shareOf, shares } from "./loops.ts";
import { type Lowered, labelOf } from "./lowered-kernel.ts";
import { isReducer, type Member, type Reducer } from "./members.ts";
import { RowPlan } from "./row-plan.ts";
import { accumulate, accumulator, combiners, productOf, termOf } from "./sums.ts";
import type { Unit } from "./unit.ts";

/** Elements of a long flat loop per work item. Fixed, so that results never depend on the number of threads. */
const chunk = 8192;

/**
 * A kernel of rows: outer loops over the kept dimensions, and for each row a sequence of passes over it. A pass computes elements; a
 * reduction ends a pass, and members that need its result go into the next. A group without reductions is one pass.
 */
export function lowerRows(unit: Unit, fusion: Fusion, sumsTogether: number): Lowered {
  const plan = new RowPlan(unit, fusion, sumsTogether);
  const flat = !unit.reduced && plan.outer.length === 0 && plan.row.length === 1;
  if (!flat) return new RowKernel(plan, false).write();
  const lowered = new RowKernel(plan, plan.row[0].extent > chunk).write();
  return { ...lowered, open: () => new RowKernel(plan, true, true).write() };
}

class RowKernel {
  private readonly plan: RowPlan;
  private readonly e: Emitter;
  /** Scratch memory of members that are kept between passes. */
  private readonly crossing: ReadonlyMap<Node, number>;
  /** One value per row, for each of the rows that are computed together. */
  private readonly rowValues: readonly Map<Node, Operand>[];
  /** Whether threads share one long row. */
  private readonly chunked: boolean;
  /** The length of that row, if the caller passes it. */
  private readonly length: Value | undefined;

  constructor(plan: RowPlan, chunked: boolean, open = false) {
    const { row, outer, together } = plan;
    this.plan = plan;
    this.e = new Emitter(new Set(plan.members.filter((m) => plan.isStored(m)).map((m) => m.node)));
    const size = row.reduce((n, d) => n * d.extent, 1);
    this.crossing = new Map(plan.crossing.map((m) => [m.node, this.e.scratch(m.node.dtype, size)]));
    this.rowValues = Array.from({ length: together }, () => new Map<Node, Operand>());
    this.chunked = chunked;
    this.length = open ? this.e.builder.value("i32", 0) : undefined;
    if (together > 1) this.e.scale.set(outer[outer.length - 1].dim, together);
  }

  write(): Lowered {
    const { plan, e } = this;
    const { outer, row } = plan;
    const b = e.builder;
    const parallel = b.parallel();
    if (outer[0]) e.variables.set(outer[0].dim, parallel);
    independently(e, outer.slice(1), false, () => {
      for (let p = 0; p < plan.passes; p++) this.pass(p, parallel);
      this.each((u) => this.rowMembers(plan.passes, u));
    });
    return {
      kernel: b.kernel(parallel, labelOf(plan.members), this.length),
      args: e.args,
      extent: this.chunked ? shares(row[0], chunk) : (outer[0]?.extent ?? 1),
      scratchBytes: e.scratchBytes,
      ...(this.length ? { length: row[0].extent } : {}),
    };
  }

  /** `f` for each of the rows that are computed together. */
  private each<T>(f: (u: number) => T): T[] {
    const { outer, together } = this.plan;
    return this.rowValues.map((_, u) => {
      if (together > 1) this.e.ahead.set(outer[outer.length - 1].dim, u);
      return f(u);
    });
  }

  private store(m: Member, value: Operand): void {
    const { e } = this;
    e.builder.store(e.param(m.node), e.index(m.home), value);
  }

  /** Pass `p`: values that are ready before it, the loop over a row, and the sums at its end. */
  private pass(p: number, parallel: Value): void {
    const { plan, e, rowValues } = this;
    this.each((u) => this.rowMembers(p, u));
    const sums = plan.members.filter(isReducer).filter((m) => plan.pass.get(m.node) === p);
    const accumulators = this.each(() => sums.map((m) => accumulator(e, m)));
    const elements = () => this.elements(p, sums, accumulators);
    // The loop over a row, or this thread's chunk of a long row.
    if (this.chunked) shareOf(e, plan.row[0], chunk, parallel, elements, this.length);
    else nest(e, plan.row, true, elements);
    this.each((u) =>
      sums.forEach((m, i) => {
        const v = e.builder.combine(accumulators[u][i], combiners[m.node.op]);
        rowValues[u].set(m.node, v);
        if (plan.isStored(m)) this.store(m, v);
      }),
    );
  }

  /** Members with one value per row that can be computed before pass `p`. */
  private rowMembers(p: number, u: number): void {
    const { plan, e, rowValues } = this;
    for (const m of plan.members) {
      if (m.level !== "row" || plan.ready.get(m.node) !== p) continue;
      const v = e.compute(m, (n) => rowValues[u].get(n)!);
      rowValues[u].set(m.node, v);
      if (plan.isStored(m)) this.store(m, v);
    }
  }

  /** The elementwise work of pass `p`. */
  private elements(p: number, sums: readonly Reducer[], accumulators: readonly (readonly Value[])[]): void {
    const { plan, e, crossing } = this;
    const b = e.builder;
    const values = this.rowValues.map(() => new Map<Node, Operand>());
    const value = (u: number) => (n: Node) => this.valueOf(n, p, u, values[u]);
    const keeps = (m: Member) => plan.isStored(m) || crossing.has(m.node);
    const unkept = (n: Node) => {
      const m = plan.of.get(n)!;
      return m.level === "row" || m.reduces || keeps(m) || plan.pass.get(n)! < p ? undefined : m;
    };
    const now = plan.members.filter((m) => m.level === "full" && !m.reduces && plan.pass.get(m.node) === p);
    const products = new Set(sums.map((m) => productOf(m, unkept)));
    // Member by member rather than row by row, so that independent work is interleaved.
    for (const m of now) if (!products.has(m)) this.each((u) => value(u)(m.node));
    sums.forEach((m, i) =>
      this.each((u) => {
        const term = termOf(e, m, value(u), unkept);
        b.assign(accumulators[u][i], accumulate(e, m.node.op, accumulators[u][i], term));
      }),
    );
    // All reads come before the first write: results may share the memory of arguments.
    for (const m of now.filter(keeps))
      this.each((u) => {
        const v = values[u].get(m.node)!;
        if (plan.isStored(m)) this.store(m, v);
        else b.store(crossing.get(m.node)!, this.rowIndex(), v);
      });
  }

  /** The value of a member in pass `p`: computed in this iteration (`values`), kept from an earlier pass, or recomputed. */
  private valueOf(n: Node, p: number, u: number, values: Map<Node, Operand>): Operand {
    const { plan, e, crossing } = this;
    const m = plan.of.get(n)!;
    if (m.level === "row" || m.reduces) return this.rowValues[u].get(n)!;
    let v = values.get(n);
    if (!v) {
      const earlier = plan.pass.get(n)! < p;
      if (earlier && plan.isStored(m)) v = e.load(n, m.home);
      else if (earlier && crossing.has(n)) v = e.builder.freshLoad(crossing.get(n)!, this.rowIndex());
      else v = e.compute(m, (x) => this.valueOf(x, p, u, values));
      values.set(n, v);
    }
    return v;
  }

  /** The position in a row. */
  private rowIndex() {
    let stride = 1;
    const terms = [...this.plan.row].reverse().map((d) => {
      const term = { variable: this.e.variables.get(d.dim)!, coefficient: stride };
      stride *= d.extent;
      return term;
    });
    return { constant: 0, terms };
  }
}
