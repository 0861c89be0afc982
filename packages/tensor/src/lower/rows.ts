import type { Node } from "../graph.ts";
import type { Kernel, Operand, Value } from "../kernel/kernel.ts";
import { costly } from "../math/elementwise.ts";
import type { Fusion } from "./fuse.ts";
import { accessesOf, type Collapsed, collapse, Emitter, nest, shareOf, shares } from "./loops.ts";
import { type Member, members } from "./members.ts";
import { basicOperations, operations } from "./operations.ts";
import { schedule } from "./passes.ts";
import { accumulate, accumulator, combiners, productOf, termOf } from "./sums.ts";
import { keptDims, type Unit } from "./unit.ts";

/** A kernel and what its parameters are: nodes, or offsets into the thread's scratch memory. */
export interface Lowered {
  readonly kernel: Kernel;
  readonly args: readonly (Node | { readonly scratch: number })[];
  readonly extent: number;
  readonly scratchBytes: number;
}

/** Elements that one thread takes at a time from a long flat loop. Fixed, so that results never depend on the thread count. */
const chunk = 8192;
/** Rows that are taken together, for which bodies (in basic operations), and how many loads that must save. */
const rowsTogether = 2;
const longestTogether = 24;
const fewestShared = 3;

/**
 * A kernel of rows: outer loops over what is kept, and for each row a sequence of passes over it. A pass computes elements; a
 * reduction ends a pass, and what needs its result goes into the next. A group without reductions is one pass.
 */
export function lowerRows(unit: Unit, fusion: Fusion): Lowered {
  const list = members(unit, fusion);
  const own = new Map(list.map((m) => [m.node, m]));
  const isStored = (m: Member) => fusion.stored.has(m.node);
  const e = new Emitter(new Set(list.filter(isStored).map((m) => m.node)));
  const b = e.builder;
  const { pass, ready, passes } = schedule(list, own, isStored);

  const accesses = accessesOf(list, fusion.stored);
  const order = unit.dims.map((_, i) => i);
  const outer = unit.reduced ? collapse(unit.dims, keptDims(unit), accesses) : [];
  const row = collapse(unit.dims, unit.reduced ? order.filter((d) => unit.reduced![d]) : order, accesses);
  // Without reductions the leading dimensions are the outer loops.
  if (!unit.reduced) outer.push(...row.splice(0, Math.max(0, row.length - 1)));

  const rowSize = row.reduce((n, d) => n * d.extent, 1);
  const crossing = new Map<Node, number>();
  for (const m of list) if (crosses(m)) crossing.set(m.node, e.scratch(m.node.dtype, rowSize));

  /** Needed in a later pass than the one that computes it, too dear to compute again, and not in memory anyway. */
  function crosses(m: Member): boolean {
    if (m.level !== "full" || m.reduces || isStored(m) || cheap(m)) return false;
    return list.some((c) => c.level === "full" && pass.get(c.node)! > pass.get(m.node)! && reaches(c, m));
  }
  /** Whether `c` needs the value of `m`, directly or through members that are computed again. */
  function reaches(c: Member, m: Member): boolean {
    return c.reads.some((r) => {
      if (r.kind !== "member") return false;
      if (r.node === m.node) return true;
      const x = own.get(r.node)!;
      return (
        x.level === "full" &&
        !x.reduces &&
        !isStored(x) &&
        cheap(x) &&
        pass.get(x.node)! < pass.get(c.node)! &&
        reaches(x, m)
      );
    });
  }
  function cheap(m: Member, depth = 0): boolean {
    if (depth > 3 || costly.has(m.node.op) || m.table) return false;
    return m.reads.every((r) => {
      if (r.kind !== "member") return true;
      const x = own.get(r.node)!;
      return x.level === "row" || x.reduces || isStored(x) || cheap(x, depth + 1);
    });
  }

  const count = together();
  const rowValues = Array.from({ length: count }, () => new Map<Node, Operand>());
  /** Some rows are taken together where that saves loads: of what is the same for all rows. */
  function together(): number {
    const last = outer[outer.length - 1];
    if (!last || last.extent % rowsTogether !== 0 || crossing.size > 0) return 1;
    const full = list.filter((m) => m.level === "full");
    if (full.reduce((n, m) => n + basicOperations(m.node), 0) > longestTogether) return 1;
    const shared = full
      .flatMap((m) => m.reads)
      .filter(
        (r) =>
          r.kind === "memory" &&
          r.flat.coefficients[last.dim] === 0 &&
          row.some((d) => r.flat.coefficients[d.dim] !== 0),
      );
    return shared.length >= fewestShared ? rowsTogether : 1;
  }
  if (count > 1) {
    const last = outer[outer.length - 1];
    e.scale.set(last.dim, count);
    outer[outer.length - 1] = { ...last, extent: last.extent / count };
  }
  /** `f` for each of the rows that are taken together. */
  function each<T>(f: (u: number) => T): T[] {
    return rowValues.map((_, u) => {
      if (count > 1) e.ahead.set(outer[outer.length - 1].dim, u);
      return f(u);
    });
  }

  const rowIndex = () => ({ constant: 0, terms: rowTerms(e, row) });
  const parallel = b.parallel();
  const extent = chunked() ? shares(row[0], chunk) : (outer[0]?.extent ?? 1);
  function chunked(): boolean {
    return !unit.reduced && outer.length === 0 && row.length === 1 && row[0].extent > chunk;
  }

  if (outer[0]) e.variables.set(outer[0].dim, parallel);
  nest(e, outer.slice(1), false, () => {
    for (let p = 0; p < passes; p++) {
      each((u) => rowMembers(p, u));
      const sums = list.filter((m) => m.reduces && pass.get(m.node) === p);
      const accumulators = each(() => sums.map((m) => accumulator(e, m)));
      over(() => onePass(p, sums, accumulators));
      each((u) =>
        sums.forEach((m, i) => {
          const v = b.combine(accumulators[u][i], combiners[m.node.op as "sum"]);
          rowValues[u].set(m.node, v);
          if (isStored(m)) b.store(e.param(m.node), e.index(m.home), v);
        }),
      );
    }
    each((u) => rowMembers(passes, u));
  });
  return { kernel: b.kernel(parallel, labelOf(list)), args: e.args, extent, scratchBytes: e.scratchBytes };

  /** The loop over a row, or this thread's chunk of a long one. */
  function over(body: () => void): void {
    if (chunked()) shareOf(e, row[0], chunk, parallel, body);
    else nest(e, row, true, body);
  }

  /** Members with one value a row that can be computed before pass `p`. */
  function rowMembers(p: number, u: number): void {
    for (const m of list) {
      if (m.level !== "row" || ready.get(m.node) !== p) continue;
      const v = e.compute(m, (n) => rowValues[u].get(n)!);
      rowValues[u].set(m.node, v);
      if (isStored(m)) b.store(e.param(m.node), e.index(m.home), v);
    }
  }

  function onePass(p: number, sums: readonly Member[], accumulators: readonly (readonly Value[])[]): void {
    const values = rowValues.map(() => new Map<Node, Operand>());
    const value =
      (u: number) =>
      (n: Node): Operand => {
        const m = own.get(n)!;
        if (m.level === "row" || m.reduces) return rowValues[u].get(n)!;
        let v = values[u].get(n);
        if (!v) {
          const earlier = pass.get(n)! < p;
          if (earlier && isStored(m)) v = e.load(n, m.home);
          else if (earlier && crossing.has(n)) v = b.freshLoad(crossing.get(n)!, rowIndex());
          else v = e.compute(m, value(u));
          values[u].set(n, v);
        }
        return v;
      };
    const keeps = (m: Member) => isStored(m) || crossing.has(m.node);
    const unkept = (n: Node) => {
      const m = own.get(n)!;
      return m.level === "row" || m.reduces || keeps(m) || pass.get(n)! < p ? undefined : m;
    };
    const now = list.filter((m) => m.level === "full" && !m.reduces && pass.get(m.node) === p);
    const products = new Set(sums.map((m) => productOf(m, unkept)));
    // Member by member rather than row by row: independent work side by side.
    for (const m of now) if (!products.has(m)) each((u) => value(u)(m.node));
    sums.forEach((m, i) =>
      each((u) => {
        const term = termOf(e, m, value(u), unkept);
        b.assign(accumulators[u][i], accumulate(e, m.node.op as "sum", accumulators[u][i], term));
      }),
    );
    // All reads come before the first write: results may lie in the memory of arguments.
    for (const m of now.filter(keeps))
      each((u) => {
        const v = values[u].get(m.node)!;
        if (isStored(m)) b.store(e.param(m.node), e.index(m.home), v);
        else b.store(crossing.get(m.node)!, rowIndex(), v);
      });
  }
}

function rowTerms(e: Emitter, row: readonly Collapsed[]) {
  let stride = 1;
  return [...row].reverse().map((d) => {
    const term = { variable: e.variables.get(d.dim)!, coefficient: stride };
    stride *= d.extent;
    return term;
  });
}

export function labelOf(list: readonly Member[]): string {
  return list
    .map((m) => (operations[m.node.op] || m.reduces || m.table ? m.node.op : `copy(${m.node.op})`))
    .join(" ");
}
