import { computeType } from "../dtype.ts";
import type { Node } from "../graph.ts";
import type { Kernel, Operand, Value } from "../kernel/kernel.ts";
import { costly, elementwise } from "../math/elementwise.ts";
import type { Fusion } from "./fuse.ts";
import { accessesOf, type Collapsed, collapse, Emitter, nest } from "./loops.ts";
import { type Member, members } from "./members.ts";
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

export const starts: Record<string, (type: "f32" | "i32" | "u32") => number> = {
  sum: () => 0,
  prod: () => 1,
  max: (t) => (t === "f32" ? -Infinity : t === "i32" ? -2147483648 : 0),
  min: (t) => (t === "f32" ? Infinity : t === "i32" ? 2147483647 : 4294967295),
};
export const combiners = { sum: "add", prod: "mul", max: "max", min: "min" } as const;

/** The accumulator's next value. Extremes let NaN through, as the operations do. */
export function accumulate(e: Emitter, op: keyof typeof combiners, acc: Operand, v: Operand): Operand {
  const b = e.builder;
  const fresh = { constant: b.constant.bind(b), op: b.fresh.bind(b) };
  const type = acc.type;
  if (op === "sum" || op === "prod") return b.fresh(type, combiners[op], acc, v);
  return elementwise[op === "max" ? "maximum" : "minimum"](fresh, type, {}, [acc, v]);
}

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
  const rowValues = new Map<Node, Operand>();
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

  const rowIndex = () => ({ constant: 0, terms: rowTerms(e, row) });
  const parallel = b.parallel();
  const extent = chunked() ? Math.ceil(row[0].extent / chunk) : (outer[0]?.extent ?? 1);
  function chunked(): boolean {
    return !unit.reduced && outer.length === 0 && row.length === 1 && row[0].extent > chunk;
  }

  if (outer[0]) e.variables.set(outer[0].dim, parallel);
  nest(e, outer.slice(1), false, () => {
    for (let p = 0; p < passes; p++) {
      rowMembers(p);
      const sums = list.filter((m) => m.reduces && pass.get(m.node) === p);
      const accumulators = sums.map((m) => {
        const type = computeType(m.node.dtype) as "f32";
        return b.variable(b.constant(type, starts[m.node.op](type)), true);
      });
      over(() => onePass(p, sums, accumulators));
      sums.forEach((m, i) => {
        const v = b.combine(accumulators[i], combiners[m.node.op as "sum"]);
        rowValues.set(m.node, v);
        if (isStored(m)) b.store(e.param(m.node), e.index(m.home), v);
      });
    }
    rowMembers(passes);
  });
  return { kernel: b.kernel(parallel, labelOf(list)), args: e.args, extent, scratchBytes: e.scratchBytes };

  /** The loop over a row, or this thread's chunk of a long one. */
  function over(body: () => void): void {
    if (!chunked()) return nest(e, row, true, body);
    const from = b.op("i32", "mul", parallel, b.constant("i32", chunk));
    const to = b.op(
      "i32",
      "min",
      b.op("i32", "add", from, b.constant("i32", chunk)),
      b.constant("i32", row[0].extent),
    );
    b.loop(
      to,
      true,
      (v) => {
        e.variables.set(row[0].dim, v);
        body();
      },
      from,
    );
  }

  /** Members with one value a row that can be computed before pass `p`. */
  function rowMembers(p: number): void {
    for (const m of list) {
      if (m.level !== "row" || ready.get(m.node) !== p) continue;
      const v = e.compute(m, (n) => rowValues.get(n)!);
      rowValues.set(m.node, v);
      if (isStored(m)) b.store(e.param(m.node), e.index(m.home), v);
    }
  }

  function onePass(p: number, sums: readonly Member[], accumulators: readonly Value[]): void {
    const values = new Map<Node, Operand>();
    const value = (n: Node): Operand => {
      const m = own.get(n)!;
      if (m.level === "row" || m.reduces) return rowValues.get(n)!;
      let v = values.get(n);
      if (!v) {
        const earlier = pass.get(n)! < p;
        if (earlier && isStored(m)) v = e.load(n, m.home);
        else if (earlier && crossing.has(n)) v = b.freshLoad(crossing.get(n)!, rowIndex());
        else v = e.compute(m, value);
        values.set(n, v);
      }
      return v;
    };
    const now = list.filter(
      (m) =>
        m.level === "full" && !m.reduces && pass.get(m.node) === p && (isStored(m) || crossing.has(m.node)),
    );
    const results = now.map((m) => value(m.node));
    const terms = sums.map((m) => e.read(m.reads[0], value));
    // All reads come before the first write: results may lie in the memory of arguments.
    now.forEach((m, i) => {
      if (isStored(m)) b.store(e.param(m.node), e.index(m.home), results[i]);
      else b.store(crossing.get(m.node)!, rowIndex(), results[i]);
    });
    sums.forEach((m, i) =>
      b.assign(accumulators[i], accumulate(e, m.node.op as "sum", accumulators[i], terms[i])),
    );
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

/** Which pass computes each member, as late as its users allow; and before which pass a row's values are ready. */
function schedule(list: readonly Member[], own: ReadonlyMap<Node, Member>, isStored: (m: Member) => boolean) {
  const pass = new Map<Node, number>();
  const ready = new Map<Node, number>();
  for (const m of list) {
    let at = 0;
    for (const r of m.reads)
      if (r.kind === "member")
        at = Math.max(
          at,
          own.get(r.node)!.level === "row" || own.get(r.node)!.reduces
            ? ready.get(r.node)!
            : pass.get(r.node)!,
        );
    if (m.level === "full") pass.set(m.node, at);
    if (m.reduces) ready.set(m.node, at + 1);
    else if (m.level === "row") ready.set(m.node, at);
  }
  for (const m of [...list].reverse()) {
    if (m.level !== "full" || m.reduces) continue;
    const users = list.filter(
      (c) => c.level === "full" && c.reads.some((r) => r.kind === "member" && r.node === m.node),
    );
    if (users.length > 0)
      pass.set(m.node, Math.max(pass.get(m.node)!, Math.min(...users.map((c) => pass.get(c.node)!))));
  }
  const full = list.filter((m) => m.level === "full" && (m.reduces || isStored(m)));
  return { pass, ready, passes: Math.max(0, ...full.map((m) => pass.get(m.node)! + 1)) };
}

export function labelOf(list: readonly Member[]): string {
  return list
    .map((m) => (elementwise[m.node.op] || m.reduces || m.table ? m.node.op : `copy(${m.node.op})`))
    .join(" ");
}
