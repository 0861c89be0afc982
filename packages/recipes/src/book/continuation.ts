import { studentQuantile } from "@reins/core/evaluations";
import { effectSize, simplesOf } from "../claims/claim.ts";
import { type Roles, samplesOf } from "../claims/effects.ts";
import { judge } from "../claims/judge.ts";
import { mean, type Table } from "../claims/table.ts";
import { decided } from "../claims/verdict.ts";
import type { Recipe } from "../recipe.ts";
import { spreadOf } from "../statistics/power.ts";

/** Replicates of a block of a recipe on a testbed before it is decided whether it goes on. */
export const firstLook = 10;
/** The number of replicates that the prediction is for. */
const horizon = 40;

/** What happens to a recipe after its first look: it goes on to the planned number of replicates, or stops. */
export type Continuation = "decided" | "goes on" | "open" | "open, unlikely to reach Δ";

/**
 * The rule, fixed before any measurement: with an 80% prediction interval of the mean effect over 40 replicates, an open
 * first claim goes on where the interval lies above the smallest relevant effect, stops for good where it lies below,
 * and stays open otherwise.
 */
export function continuationOf(recipe: Recipe, cast: Roles, table: Table): Continuation {
  const [claim] = recipe.claims;
  const { verdict } = judge(claim, cast, table);
  if (decided.has(verdict) || verdict === "untestable") return "decided";
  const margins = simplesOf(claim).flatMap((simple) => {
    const size = effectSize(simple) ?? 0;
    // A claim of no harm is reached at −margin, all others at their size.
    const least = simple.kind === "no-worse" ? -size : size;
    return samplesOf(simple, cast, table).map(({ effects }) => {
      const n = effects.length;
      const half = studentQuantile(0.9, n - 1) * spreadOf(effects) * Math.sqrt(1 / n + 1 / horizon);
      return { low: mean(effects) - half - least, high: mean(effects) + half - least };
    });
  });
  if (margins.some((m) => m.high < 0)) return "open, unlikely to reach Δ";
  return margins.every((m) => m.low > 0) ? "goes on" : "open";
}
