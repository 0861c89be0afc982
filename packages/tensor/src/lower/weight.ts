import { basicOperations } from "./operations.ts";
import { keptDims, levelOf, reducedSize, reducesShort, type Unit } from "./unit.ts";
import { isReduction } from "./views.ts";

/** Maximum basic operations in an unrolled kernel: more take too long to compile. */
export const mostStatements = 1500;

/** Basic operations of a group per element, and per row. */
export function weightOf(g: Unit): { full: number; row: number } {
  const weight = { full: 0, row: 0 };
  for (const n of g.nodes) weight[levelOf(g, n)] += basicOperations(n);
  return weight;
}

/** Number of rows below which the form of per-row values does not matter. */
const fewRows = 32;
/** Slowdown of scalar code compared with a lane, with dependent operations. */
const scalarCost = 32;

/** Elements of a row from which, of few rows in a grid, all threads compute the terms of a sum in a kernel of their own. */
const longRow = 2 ** 14;
const aloneRows = 8;

/**
 * Whether a group should be one kernel in a grid: the one block that adds the terms of a long row would compute them alone.
 */
export function worthwhileInGrid(g: Unit): boolean {
  if (!worthwhile(g)) return false;
  if (!g.reduced || reducedSize(g) < longRow) return true;
  const rows = keptDims(g).reduce((n, d) => n * g.dims[d], 1);
  return rows > aloneRows || g.nodes.every((n) => isReduction(n) || levelOf(g, n) === "row");
}

/**
 * Whether a group should be one kernel. Unrolled rows must not take too many statements; and where rows are looped over,
 * per-row values are scalar code, which must not take longer than the loops.
 */
export function worthwhile(g: Unit): boolean {
  if (!g.reduced) return true;
  const { full, row } = weightOf(g);
  const size = reducedSize(g);
  if (reducesShort(g)) return full * size + row <= mostStatements;
  const rows = keptDims(g).reduce((n, d) => n * g.dims[d], 1);
  return row < 16 || rows < fewRows || row * scalarCost <= full * size;
}
