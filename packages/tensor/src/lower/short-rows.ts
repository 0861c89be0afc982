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
import { isReducer, type Member, members, type Reducer } from "./members.ts";
import { accumulate, accumulator, combiners, type Term, termOf } from "./sums.ts";
import { isColumn, keptDims, longestShort, reducesShort, type Unit } from "./unit.ts";
import { mostStatements, weightOf } from "./weight.ts";

/** Rows per work item. Fixed, so that results never depend on the number of threads. */
const share = 1024;

/**
 * How a group's loops are divided when a few adjacent elements are unrolled: `written` has the unrolled dimensions, `loops` the
 * others, of which the last is the vector loop.
 */
interface Shape {
  readonly written: readonly Collapsed[];
  /** Loops that are kept apart from the lanes' sums; empty if sums are over unrolled dimensions. */
  readonly outer: readonly Collapsed[];
  readonly loops: readonly Collapsed[];
}

const extentOf = (list: readonly Collapsed[]) => list.reduce((n, d) => n * d.extent, 1);

/**
 * A kernel for rows of a few elements, such as two actions: lanes run over rows, and the elements of a row are unrolled,
 * so that all of it is vector code. Undefined if the group does not have this form.
 */
export function lowerShort(unit: Unit, fusion: Fusion): Lowered | undefined {
  const list = members(unit, fusion);
  const shape = shapeOf(unit, list, fusion);
  if (!shape) return undefined;
  const count = extentOf(shape.written);
  const { full, row } = weightOf(unit);
  if (full * count + row > mostStatements) return undefined;
  const stored = list.filter((m) => fusion.stored.has(m.node));
  const e = new Emitter(new Set(stored.map((m) => m.node)));
  const b = e.builder;
  const own = new Map(list.map((m) => [m.node, m]));
  /** The elements of each member in a row, or the one value of the row. */
  const values = new Map<Node, Operand[]>();
  const unkept = (n: Node) => (fusion.stored.has(n) || isRow(own.get(n)!) ? undefined : own.get(n));
  const isRow = (m: Member) => m.level === "row" || m.reduces;
  const valueAt = (p: number) => (n: Node) => values.get(n)![isRow(own.get(n)!) ? 0 : p];
  const sumsLanes = unit.reduced !== undefined && !reducesShort(unit);

  const parallel = b.parallel();
  const { outer, loops } = shape;
  const shared = !sumsLanes && loops.length === 1 && loops[0].extent > share;
  // The outermost loop is the parallel one, unless the vector loop is the only one.
  const first = sumsLanes ? outer[0] : loops.length > 1 ? loops[0] : undefined;
  if (first) e.variables.set(first.dim, parallel);
  if (sumsLanes) {
    independently(e, outer.slice(1), false, () => {
      const sums = list.filter(isReducer);
      const accumulators = sums.map((m) => each(() => accumulator(e, m)));
      nest(e, loops, true, () => visit(accumulators));
      sums.forEach((m, i) => {
        each((p) => write(m, b.combine(accumulators[i][p], combiners[m.node.op])));
      });
    });
  } else if (shared) shareOf(e, loops[0], share, parallel, () => visit());
  else independently(e, first ? loops.slice(1) : loops, true, () => visit());
  const extent = shared ? shares(loops[0], share) : (first?.extent ?? 1);
  return { kernel: b.kernel(parallel, labelOf(list)), args: e.args, extent, scratchBytes: 0 };

  /** `f` at each position of the row. */
  function each<T>(f: (p: number) => T): T[] {
    return Array.from({ length: count }, (_, p) => {
      let rest = p;
      for (const d of [...shape!.written].reverse()) {
        e.ahead.set(d.dim, rest % d.extent);
        rest = Math.floor(rest / d.extent);
      }
      return f(p);
    });
  }

  /** All members for one row; `accumulators` are given where reductions are over rows. */
  function visit(accumulators?: readonly (readonly Value[])[]): void {
    const terms: Term[][] = [];
    for (const m of list) {
      if (isReducer(m)) {
        const row = each((p) => termOf(e, m, valueAt(p), unkept));
        if (accumulators) terms.push(row);
        else values.set(m.node, [fold(m, row)]);
      } else if (m.level === "row") {
        each((p) => p === 0 && values.set(m.node, [e.compute(m, valueAt(0))]));
      } else
        values.set(
          m.node,
          each((p) => e.compute(m, valueAt(p))),
        );
    }
    // All reads come before the first write: results may share the memory of arguments.
    for (const m of stored) {
      if (m.reduces && accumulators) continue;
      each((p) => {
        if (p === 0 || !isRow(m)) write(m, valueAt(p)(m.node));
      });
    }
    accumulators?.forEach((list_, i) => {
      const { op } = list.filter(isReducer)[i].node;
      list_.forEach((a, p) => {
        b.assign(a, accumulate(e, op, a, terms[i][p]));
      });
    });
  }

  function fold(m: Reducer, [first, ...rest]: readonly Term[]): Operand {
    const { op } = m.node;
    // A sum starts at 0 everywhere: the sum of negative zeros is zero.
    const zero = op === "sum" && m.node.dtype === "f32" && b.constant("f32", 0);
    const start = zero ? accumulate(e, op, zero, first) : first[0];
    return rest.reduce((acc, v) => accumulate(e, op, acc, v), start as Operand);
  }

  function write(m: Member, value: Operand): void {
    b.store(e.param(m.node), e.index(m.home), value);
  }
}

function shapeOf(unit: Unit, list: readonly Member[], fusion: Fusion): Shape | undefined {
  const accesses = accessesOf(list, fusion.stored);
  const joined = (dims: readonly number[]) => collapse(unit.dims, dims, accesses);
  const kept = keptDims(unit);
  if (reducesShort(unit)) {
    const reduced = unit.dims.flatMap((_, d) => (unit.reduced![d] ? [d] : []));
    return { written: joined(reduced), outer: [], loops: joined(kept) };
  }
  if (isColumn(unit)) {
    const last = unit.reduced!.lastIndexOf(true);
    const written = joined(kept.filter((d) => d > last));
    if (extentOf(written) > longestShort) return undefined;
    const reduced = unit.dims.flatMap((_, d) => (unit.reduced![d] ? [d] : []));
    return { written, outer: joined(kept.filter((d) => d < last)), loops: joined(reduced) };
  }
  if (unit.reduced) return undefined;
  const loops = joined(kept);
  const written = loops.splice(-1);
  const lanes = loops[loops.length - 1];
  if (!lanes || written[0].extent > longestShort || lanes.extent < 4) return undefined;
  // Lanes that are not adjacent are loaded and stored one by one, which pays off only with enough arithmetic.
  const apart = accesses.filter((a) => Math.abs(a.coefficients[lanes.dim]) > 1).length;
  return weightOf(unit).full < 2 * apart ? undefined : { written, outer: [], loops };
}
