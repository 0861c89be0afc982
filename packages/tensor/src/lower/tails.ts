import type { Node } from "../graph.ts";
import { sizeOf } from "../shape.ts";
import { basicOperations } from "./operations.ts";
import type { Reading } from "./reading.ts";
import { keptDims, levelOf, reducesShort, type Unit } from "./unit.ts";
import type { Units } from "./units.ts";

/** With fewer rows, or fewer operations per row, a separate kernel costs more than it saves. */
const fewestRows = 32;
const fewestOperations = 6;

/**
 * Values that a group computes from its sums, one per row, are scalar code between vector loops. If no element of the rows needs
 * them, they become a separate group, whose lanes run over the rows.
 */
export function tails(units: Units, reading: Reading): boolean {
  let moved = false;
  for (const unit of [...units.list]) {
    const dims = keptDims(unit).map((d) => unit.dims[d]);
    if (!unit.reduced || reducesShort(unit) || sizeOf(dims) < fewestRows) continue;
    const tail = tailOf(unit, units, reading);
    if (tail.reduce((sum, n) => sum + basicOperations(n), 0) < fewestOperations) continue;
    unit.nodes = unit.nodes.filter((n) => !tail.includes(n));
    const own = units.create("group", tail[0], dims);
    own.nodes = tail;
    for (const n of tail) units.of.set(n, own);
    moved = true;
  }
  return moved;
}

/** The per-row values that no element needs. */
function tailOf(unit: Unit, units: Units, reading: Reading): Node[] {
  const needed = new Set<Node>();
  const visit = (n: Node): void => {
    for (const base of reading.bases(unit, n))
      if (units.of.get(base) === unit && !needed.has(base)) {
        needed.add(base);
        visit(base);
      }
  };
  for (const n of unit.nodes) if (levelOf(unit, n) === "full") visit(n);
  return unit.nodes.filter((n) => levelOf(unit, n) === "row" && !needed.has(n));
}
