import { effectSize, simplesOf } from "../claims/claim.ts";
import { type Roles, samplesOf } from "../claims/effects.ts";
import { mean, type Table } from "../claims/table.ts";
import type { Recipe } from "../recipe.ts";
import { replicatesFor, spreadOf, upperSpread } from "../statistics/power.ts";

/** The number of replicates of a block, fixed before any of them runs. */
export interface Plan {
  readonly replicates: number;
  /** Replicates for 80% power at the smallest effects. */
  readonly needed: number;
  /** The paired standard deviation of the headline's effects in tuning. */
  readonly spread: number;
  /** Maximum within the recipe's minutes, if that is less. */
  readonly most?: number;
}

/** Minimum number of replicates of a block. */
export const fewest = 10;

/** Replicates of a block of a testbed: recipes on it find its runs there. */
export const testbedReplicates = 50;

/** Minutes of one core that a block may take. */
export const minutesOf = ({ minutes = 20 }: Recipe): number => minutes;

/** Plans a block from tuning runs at the chosen settings; `seconds` is the time of a replicate over all arms. */
export function planFor(recipe: Recipe, cast: Roles, pilot: Table, seconds: readonly number[]): Plan {
  const [headline] = recipe.claims;
  const spread = Math.max(
    ...simplesOf(headline).flatMap((c) => samplesOf(c, cast, pilot).map((s) => spreadOf(s.effects))),
  );
  if (typeof recipe.replicates === "object")
    return { replicates: recipe.replicates.names.length, needed: recipe.replicates.names.length, spread };
  if (recipe.bed) return { replicates: testbedReplicates, needed: testbedReplicates, spread };
  const needed = Math.max(
    ...recipe.claims.flatMap((claim) =>
      simplesOf(claim).flatMap((c) =>
        samplesOf(c, cast, pilot).map((s) => {
          const size = effectSize(c);
          // Claims about every run, and correlations over replicates, have no spread to plan by.
          const limit = upperSpread(spreadOf(s.effects), s.effects.length);
          return size === undefined || s.with ? fewest : replicatesFor(limit, size);
        }),
      ),
    ),
  );
  const most = Math.max(fewest, Math.floor((minutesOf(recipe) * 60) / Math.max(mean(seconds), 1e-3)));
  const wanted = Math.max(fewest, needed);
  return { replicates: Math.min(wanted, most, 900), needed, spread, ...(wanted > most && { most }) };
}
