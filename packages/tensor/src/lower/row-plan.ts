import type { Node } from "../graph.ts";
import { costly } from "../math/elementwise.ts";
import type { Fusion } from "./fuse.ts";
import { accessesOf, type Collapsed, collapse } from "./loops.ts";
import { type Member, members } from "./members.ts";
import { basicOperations } from "./operations.ts";
import { schedule } from "./passes.ts";
import { keptDims, type Unit } from "./unit.ts";

/** Rows that are computed together, the maximum size of the body (in basic operations), and the minimum of saved loads. */
const rowsTogether = 2;
const longestTogether = 24;
const fewestShared = 3;

/** The passes and loops of a kernel of rows. */
export class RowPlan {
  readonly members: readonly Member[];
  readonly of: ReadonlyMap<Node, Member>;
  /** The pass of each member, the pass before which a row's values are ready, and the number of passes. */
  readonly pass: ReadonlyMap<Node, number>;
  readonly ready: ReadonlyMap<Node, number>;
  readonly passes: number;
  /** Loops over rows, from the outside in, and those over a row. */
  readonly outer: readonly Collapsed[];
  readonly row: readonly Collapsed[];
  /** Members whose elements are kept in scratch memory between passes. */
  readonly crossing: readonly Member[];
  /** Number of rows that are computed together. */
  readonly together: number;
  private readonly stored: ReadonlySet<Node>;

  constructor(unit: Unit, fusion: Fusion, sumsTogether: number) {
    this.members = members(unit, fusion);
    this.of = new Map(this.members.map((m) => [m.node, m]));
    this.stored = fusion.stored;
    const { pass, ready, passes } = schedule(this.members, this.of, (m) => this.isStored(m));
    this.pass = pass;
    this.ready = ready;
    this.passes = passes;
    const accesses = accessesOf(this.members, fusion.stored);
    const order = unit.dims.map((_, i) => i);
    const outer = unit.reduced ? collapse(unit.dims, keptDims(unit), accesses) : [];
    const row = collapse(unit.dims, unit.reduced ? order.filter((d) => unit.reduced![d]) : order, accesses);
    // Without reductions the leading dimensions are the outer loops.
    if (!unit.reduced) outer.push(...row.splice(0, Math.max(0, row.length - 1)));
    this.row = row;
    this.crossing = this.members.filter((m) => this.crosses(m));
    this.together = this.togetherIn(outer, sumsTogether);
    const last = outer.pop();
    if (last) outer.push({ ...last, extent: last.extent / this.together });
    this.outer = outer;
  }

  isStored(m: Member): boolean {
    return this.stored.has(m.node);
  }

  /** Needed in a later pass than the one that computes it, too expensive to recompute, and not stored anyway. */
  private crosses(m: Member): boolean {
    if (m.level !== "full" || m.reduces || this.isStored(m) || this.isCheap(m)) return false;
    const own = this.pass.get(m.node)!;
    return this.members.some((c) => c.level === "full" && this.pass.get(c.node)! > own && this.reaches(c, m));
  }

  /** Whether `c` needs the value of `m`, directly or through recomputed members. */
  private reaches(c: Member, m: Member): boolean {
    return c.reads.some((r) => {
      if (r.kind !== "member") return false;
      if (r.node === m.node) return true;
      const x = this.of.get(r.node)!;
      return (
        x.level === "full" &&
        !x.reduces &&
        !this.isStored(x) &&
        this.isCheap(x) &&
        this.pass.get(x.node)! < this.pass.get(c.node)! &&
        this.reaches(x, m)
      );
    });
  }

  private isCheap(m: Member, depth = 0): boolean {
    if (depth > 3 || costly.has(m.node.op) || m.table) return false;
    return m.reads.every((r) => {
      if (r.kind !== "member") return true;
      const x = this.of.get(r.node)!;
      return x.level === "row" || x.reduces || this.isStored(x) || this.isCheap(x, depth + 1);
    });
  }

  /** Several rows are computed together if that saves loads of values that all rows share. */
  private togetherIn(outer: readonly Collapsed[], sumsTogether: number): number {
    const last = outer[outer.length - 1];
    if (!last || last.extent % rowsTogether !== 0 || this.crossing.length > 0) return 1;
    const full = this.members.filter((m) => m.level === "full");
    if (full.reduce((n, m) => n + basicOperations(m.node), 0) > longestTogether) return 1;
    if (full.filter((m) => m.reduces).length > sumsTogether) return 1;
    const shared = full
      .flatMap((m) => m.reads)
      .filter(
        (r) =>
          r.kind === "memory" &&
          r.flat.coefficients[last.dim] === 0 &&
          this.row.some((d) => r.flat.coefficients[d.dim] !== 0),
      );
    return shared.length >= fewestShared ? rowsTogether : 1;
  }
}
