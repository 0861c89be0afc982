import type { Node } from "../graph.ts";
import { sizeOf } from "../shape.ts";
import { equal, home } from "./affine.ts";
import type { Reading } from "./reading.ts";
import { ownLoops, rowLoops, sharedLoops } from "./shared-loops.ts";
import { homeOf, isColumn, keptDims, type Loops, levelOf, readsOf, type Unit } from "./unit.ts";
import type { Units } from "./units.ts";
import { isReduction } from "./views.ts";
import { worthwhile, worthwhileInGrid } from "./weight.ts";

const largestGroup = 80;

/** Puts nodes that can be computed in the same loops into one group. */
export class Grouping {
  private readonly units: Units;
  private readonly reading: Reading;

  private readonly worthwhile: (g: Unit) => boolean;

  constructor(units: Units, reading: Reading, inGrid: boolean) {
    this.units = units;
    this.reading = reading;
    this.worthwhile = inGrid ? worthwhileInGrid : worthwhile;
  }

  /** Adds `node` to the group of one of its arguments, which then absorbs the groups of the others; or starts a new group. */
  place(node: Node): void {
    const { units, reading } = this;
    const loops = ownLoops(node);
    const tables = reading.tables(node);
    const reads = reading.sources(node, loops.dims).map((s) => s.base);
    const candidates = [
      ...new Set(reads.map((base) => units.of.get(base)).filter((u): u is Unit => u?.kind === "group")),
    ].sort((a, b) => b.id - a.id);
    const bases = [...reads, ...tables];
    const joined = candidates.find((g) => this.join(node, loops, g, bases));
    const unit = joined ?? units.create("group", node, loops.dims, loops.reduced);
    for (const base of bases) units.link(unit, base);
    if (!joined) return;
    for (const other of candidates)
      if (other !== unit && units.of.get(other.nodes[0]) === other) this.merge(other, unit);
  }

  /** Adds `node`, which reads `bases`, to group `g` if it can be computed in the same loops. */
  private join(node: Node, own: Loops, g: Unit, bases: readonly Node[]): boolean {
    const { units } = this;
    if (g.nodes.length >= largestGroup || sizeOf(own.dims) === 0) return false;
    const trial = sharedLoops(g, own) ?? rowLoops(g, node, own.dims);
    if (!trial) return false;
    const before = { dims: g.dims, reduced: g.reduced };
    Object.assign(g, trial);
    g.nodes.push(node);
    units.of.set(node, g);
    const fits = this.worthwhile(g) && this.consistent(g, node) && !units.wouldCycle(bases, g);
    if (fits) return true;
    g.nodes.pop();
    units.of.delete(node);
    Object.assign(g, before);
    return false;
  }

  /** Whether the values that `node` reads from its own group are read at the position where they are computed. */
  consistent(g: Unit, node: Node): boolean {
    const { units, reading } = this;
    const level = levelOf(g, node);
    const which = level === "row" ? keptDims(g) : undefined;
    if (reading.tables(node).some((t) => units.of.get(t) === g)) return false;
    if (!readsOf(node).every(({ shape }) => home(shape, g.dims, which))) return false;
    const found = reading.look(node, g.dims, which);
    if (!Array.isArray(found)) return false;
    return found.every((s) => {
      if (units.of.get(s.base) !== g) return true;
      // Column sums are complete only after the last row.
      if (isReduction(s.base) && isColumn(g)) return false;
      if (level === "row" && levelOf(g, s.base) === "full" && !isReduction(s.base)) return false;
      const own = homeOf(g, s.base);
      return own !== undefined && equal(own, s.flat);
    });
  }

  /** Merges `from` into `into` if their loops agree. */
  private merge(from: Unit, into: Unit): void {
    const { units } = this;
    if (from.nodes.length + into.nodes.length > largestGroup || sizeOf(into.dims) === 0) return;
    const loops = sharedLoops(into, from);
    if (!loops || units.reaches(into, from, from) || units.reaches(from, into, into)) return;
    const before = { dims: into.dims, reduced: into.reduced, nodes: into.nodes };
    Object.assign(into, loops);
    into.nodes = [...from.nodes, ...into.nodes].sort((a, b) => a.id - b.id);
    for (const n of from.nodes) units.of.set(n, into);
    if (!this.worthwhile(into) || !into.nodes.every((n) => this.consistent(into, n))) {
      Object.assign(into, before);
      for (const n of from.nodes) units.of.set(n, from);
      return;
    }
    for (const d of from.deps) if (d !== into) into.deps.add(d);
    into.deps.delete(from);
    for (const u of units.list) if (u.deps.delete(from) && u !== into) u.deps.add(into);
    from.nodes = [];
  }

  /** Merges groups that read the same values and do not depend on each other. */
  joinReaders(readers: ReadonlyMap<Node, ReadonlySet<Unit>>): void {
    for (const [base, found] of readers) {
      const groups = [...found].filter((u) => u.kind === "group" && sizeOf(u.dims) <= sizeOf(base.shape));
      for (const [i, u] of groups.entries()) {
        if (u.nodes.length === 0) continue;
        for (const other of groups.slice(i + 1)) if (other.nodes.length > 0) this.merge(other, u);
      }
    }
  }
}
