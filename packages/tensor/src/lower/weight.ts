import { basicOperations } from "./operations.ts";
import { keptDims, levelOf, reducedSize, reducesShort, type Unit } from "./unit.ts";

/** Basic operations in a kernel that writes elements out: more take too long to compile. */
export const mostStatements = 1500;

/** Basic operations that a group takes for each element, and for each row. */
export function weightOf(g: Unit): { full: number; row: number } {
  const weight = { full: 0, row: 0 };
  for (const n of g.nodes) weight[levelOf(g, n)] += basicOperations(n);
  return weight;
}

/** Rows below which it does not matter how a row's own values are computed. */
const fewRows = 32;
/** How much longer scalar code takes than a lane, with one operation waiting for the other. */
const scalarCost = 32;

/**
 * Whether a group should be one kernel. Rows that are written out must not take too many statements; and where rows are looped over,
 * what is computed once a row is scalar code, which must not take longer than the loops.
 */
export function worthwhile(g: Unit): boolean {
  if (!g.reduced) return true;
  const { full, row } = weightOf(g);
  const size = reducedSize(g);
  if (reducesShort(g)) return full * size + row <= mostStatements;
  const rows = keptDims(g).reduce((n, d) => n * g.dims[d], 1);
  return row < 16 || rows < fewRows || row * scalarCost <= full * size;
}
