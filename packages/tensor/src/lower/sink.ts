import type { Node } from "../graph.ts";
import { costly } from "../math/elementwise.ts";
import { sizeOf } from "../shape.ts";
import { dimsOf, refine } from "./affine.ts";
import type { Grouping } from "./grouping.ts";
import { isComputed } from "./operations.ts";
import type { Reading } from "./reading.ts";
import { noteRead, type Traffic } from "./traffic.ts";
import { levelOf, longestShort, type Unit } from "./unit.ts";
import type { Units } from "./units.ts";

/** The state that moving nodes between groups needs. */
interface Moves {
  readonly units: Units;
  readonly reading: Reading;
  readonly grouping: Grouping;
  /** Updated with every move. */
  readonly traffic: Traffic;
  readonly results: ReadonlySet<Node>;
}

/** Maximum number of operations that are moved together. */
const largestMove = 4;

/**
 * Moves cheap values to where they are used. A group computes all it can, so the gradient's `1 - y²` ends up beside the tanh that
 * computes y, and is stored for one distant reader. If that reader can compute it from values that are in memory anyway (y), one
 * store is saved.
 */
export function sink(moves: Moves): boolean {
  let moved = false;
  for (const unit of moves.units.list) {
    if (unit.kind !== "group") continue;
    for (const node of [...unit.nodes].reverse())
      if (unit.nodes.includes(node) && move(node, unit, moves)) moved = true;
  }
  return moved;
}

function move(node: Node, from: Unit, moves: Moves): boolean {
  const { units, reading, grouping, traffic, results } = moves;
  const readers = [...(traffic.readers.get(node) ?? [])];
  const [to] = readers;
  if (readers.length !== 1 || to.kind !== "group" || to === from || !cheap(node, from) || results.has(node))
    return false;
  if (
    sizeOf(to.dims) !== sizeOf(from.dims) ||
    refine(to.dims, dimsOf(node.shape))?.dims.length !== to.dims.length
  )
    return false;
  const set = together(node, from, moves);
  if (!set) return false;
  const before = { from: from.nodes, to: to.nodes };
  from.nodes = from.nodes.filter((n) => !set.has(n));
  to.nodes = [...set, ...to.nodes].sort((a, b) => a.id - b.id);
  for (const n of set) units.of.set(n, to);
  if (from.nodes.length === 0 || !to.nodes.every((n) => grouping.consistent(to, n))) {
    from.nodes = before.from;
    to.nodes = before.to;
    for (const n of set) units.of.set(n, from);
    return false;
  }
  // The inputs of the moved nodes come from `from`, or from before it.
  for (const d of from.deps) if (d !== to) to.deps.add(d);
  // The moved nodes now read them from memory, so they must be stored.
  traffic.readers.delete(node);
  traffic.stored.delete(node);
  for (const n of set)
    for (const base of reading.bases(to, n)) if (units.of.get(base) !== to) noteRead(traffic, base, to);
  return true;
}

const isRow = (n: Node, unit: Unit) =>
  unit.reduced !== undefined && sizeOf(n.shape) * longestShort <= sizeOf(unit.dims);

const cheap = (n: Node, unit: Unit) => isComputed(n) && !costly.has(n.op) && levelOf(unit, n) === "full";

/** The node and its exclusive inputs; undefined if moving them would need another store. */
function together(node: Node, unit: Unit, { units, reading, traffic }: Moves): Set<Node> | undefined {
  const set = new Set([node]);
  const usersOf = (x: Node) => unit.nodes.filter((n) => reading.bases(unit, n).includes(x));
  if (usersOf(node).length > 0) return undefined;
  for (const n of set) {
    for (const base of reading.bases(unit, n)) {
      // One value per row costs little to store.
      if (units.of.get(base) !== unit || traffic.stored.has(base) || isRow(base, unit)) continue;
      if (!cheap(base, unit) || usersOf(base).some((u) => !set.has(u)) || set.size >= largestMove)
        return undefined;
      set.add(base);
    }
  }
  return set;
}
