import type { Dim, Program } from "./graph.ts";
import { simplified } from "./simplify.ts";

/** A program for a fixed number of rows. */
export function withRows(program: Program, rows: number, source: string): Program {
  const steps = program.steps.map((step) => ({
    ...step,
    shape: step.shape.map((d) => filled(d, rows) as Dim),
    attributes: filled(step.attributes, rows) as typeof step.attributes,
  }));
  return simplified({ ...program, steps }, source);
}

/** Plain data with its extents for `rows` rows. */
function filled(x: unknown, rows: number): unknown {
  if (typeof x !== "object" || x === null) return x;
  if (Array.isArray(x)) return x.map((v) => filled(v, rows));
  if ("n" in x && "plus" in x) return Number(x.n) * rows + Number(x.plus);
  return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, filled(v, rows)]));
}
