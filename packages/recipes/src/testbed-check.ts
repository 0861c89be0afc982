import { fail } from "@reins/core";
import type { Grid } from "./grid.ts";
import type { TestbedOptions } from "./testbed-options.ts";

/** Minimum number of sampled answers behind a metric, if problems are not enumerated. */
const fewestAnswers = 500;

/** Throws for a testbed that breaks a rule of the book. Each error begins with the name of the rule. */
export function checkTestbed({
  id,
  baselines,
  grid,
  rowGrid = grid,
  answers,
  smallest,
  metrics,
  conditions,
}: TestbedOptions): void {
  const where = `testbed ${id}`;
  for (const { name, grid: own = grid, content } of baselines) {
    if (axesOf(own).length < 2)
      fail(
        where,
        `rule two-axes: the grid of ${name} varies ${axesOf(own).join() || "nothing"}. Give at least two settings two values each.`,
      );
    if (content === undefined)
      fail(
        where,
        `rule plain-arms: ${name} has no content, so its runs cannot be shared. Make it with languageArms, tableArm or learnArm from plain options, or give a language arm with custom functions an identity.`,
      );
  }
  if (answers !== "enumerated" && !(answers >= fewestAnswers))
    fail(
      where,
      `rule evaluation: ${answers} answers are evaluated. Use at least ${fewestAnswers}, or enumerate all problems.`,
    );
  const [tuned] = Object.keys(metrics);
  if (!smallest[tuned])
    fail(where, `rule smallest-effect: ${tuned} has none. Add smallest.${tuned} with a size and a reason.`);
  const unknown = Object.keys(rowGrid).find((setting) => !(setting in grid));
  if (unknown)
    fail(
      where,
      `rule equal-axes: rowGrid varies ${unknown}, which the baselines' grid does not. Add it to grid.`,
    );
  if (Object.keys(conditions).length === 0)
    fail(
      where,
      "rule conditions: none is measured. Add the phenomena that systems on this testbed presuppose.",
    );
}

/** Settings of a grid that have several values. */
export const axesOf = (grid: Grid): string[] =>
  Object.entries(grid).flatMap(([setting, values]) => (values.length > 1 ? [setting] : []));
