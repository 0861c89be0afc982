import type { Node } from "../graph.ts";
import type { Dims } from "./affine.ts";
import type { Unit } from "./unit.ts";

/** The units of one graph while nodes are assigned: the unit of each node, and the dependencies between units. */
export class Units {
  /** In order of creation. A unit without nodes was merged into another. */
  readonly list: Unit[] = [];
  readonly of = new Map<Node, Unit>();
  /** Number of searches: each marks the units it visits with its number. */
  private searches = 0;

  create(kind: Unit["kind"], node: Node, dims: Dims, reduced?: boolean[]): Unit {
    const unit: Unit = {
      id: this.list.length,
      kind,
      nodes: [node],
      dims,
      reduced,
      deps: new Set(),
      stamp: 0,
    };
    this.list.push(unit);
    this.of.set(node, unit);
    return unit;
  }

  /** Records that `unit` depends on the unit that computes `base`. */
  link(unit: Unit, base: Node): void {
    const u = this.of.get(base);
    if (u && u !== unit) unit.deps.add(u);
  }

  /** Whether `from` depends on `target` through a unit other than `skip`. */
  reaches(from: Unit, target: Unit, skip: Unit): boolean {
    const stamp = ++this.searches;
    const visit = (u: Unit): boolean => {
      if (u === target) return true;
      if (u.stamp === stamp) return false;
      u.stamp = stamp;
      for (const d of u.deps) if (visit(d)) return true;
      return false;
    };
    for (const d of from.deps) if (d !== skip && visit(d)) return true;
    return false;
  }

  /** Whether `g` would depend on itself if it read `bases`, through another unit that computes one of them. */
  wouldCycle(bases: readonly Node[], g: Unit): boolean {
    return bases.some((base) => {
      const u = this.of.get(base);
      return u !== undefined && u !== g && (u.deps.has(g) || this.reaches(u, g, u));
    });
  }

  /** Units with nodes in topological order, otherwise in order of creation. */
  sorted(): Unit[] {
    const out: Unit[] = [];
    const seen = new Set<Unit>();
    const first = (u: Unit) => Math.min(...u.nodes.map((n) => n.id));
    const visit = (u: Unit): void => {
      if (seen.has(u)) return;
      seen.add(u);
      for (const d of [...u.deps].sort((a, b) => first(a) - first(b))) visit(d);
      out.push(u);
    };
    const last = (u: Unit) => Math.max(...u.nodes.map((n) => n.id));
    const filled = this.list.filter((u) => u.nodes.length > 0);
    for (const u of filled.sort((a, b) => last(a) - last(b))) visit(u);
    return out;
  }
}
