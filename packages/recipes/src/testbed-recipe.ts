import { fail } from "@reins/core";
import type { Bed } from "./bed.ts";
import type { Claim } from "./claims/claim.ts";
import { pointsOf } from "./grid.ts";
import { recipe } from "./make.ts";
import { armsOf, type Recipe } from "./recipe.ts";
import type { RowClaim, RowOptions } from "./testbed-options.ts";

/** A recipe on a testbed, with the testbed's metrics, budget, baselines and smallest effects. */
export function recipeOn(testbed: Recipe & { readonly bed: Bed }, row: RowOptions): Recipe {
  const where = `recipe ${row.id}`;
  const { bed, metrics, budget, limits } = testbed;
  const { source, system, ablation, baselines = [], presupposes, grid = bed.rowGrid, claims, ...rest } = row;
  if (!source.code && !source.equations)
    fail(
      where,
      "rule source: neither the authors' code nor the paper's equations are named. Read one of them and name it in source.",
    );
  if (presupposes !== "nothing")
    for (const name of Object.keys(presupposes))
      if (!(name in bed.conditions))
        fail(
          where,
          `rule conditions: ${testbed.id} does not measure ${name}, but ${Object.keys(bed.conditions).join(", ")}. Add it to the testbed, or choose another one.`,
        );
  for (const arm of [system, ...baselines, ablation])
    if (arm.budget)
      fail(
        where,
        `rule equal-budgets: ${arm.name} has its own budget. Arms of a testbed have the testbed's.`,
      );
  const most = Math.min(...armsOf(testbed).map((arm) => pointsOf(arm.grid ?? {}).length));
  if (pointsOf(grid).length > most)
    fail(
      where,
      `rule equal-tuning: its grid has ${pointsOf(grid).length} points, but the testbed's baselines have ${most}. Use fewer.`,
    );
  return recipe({
    ...rest,
    source: [source.paper, source.code].filter(Boolean).join(", "),
    system,
    baselines: [...armsOf(testbed), ...baselines],
    ablations: [ablation],
    metrics,
    budget,
    grid,
    limits: { ...limits, ...row.limits },
    claims: claims.filter((c) => c !== undefined).map((c) => claimOn(testbed.id, bed, c)) as [Claim],
    on: {
      id: testbed.id,
      bed,
      arms: armsOf(testbed).map((arm) => arm.name),
      source,
      presupposes: presupposes === "nothing" ? {} : presupposes,
    },
  });
}

/** A claim with the size and the reason of the testbed, where it has none. */
function claimOn(id: string, bed: Bed, given: RowClaim | string): Claim {
  const claim = typeof given === "string" ? { metric: given } : given;
  const kind = "kind" in claim ? claim.kind : undefined;
  if (kind !== undefined && kind !== "difference" && kind !== "no-worse") return claim as Claim;
  const [metric] = "metric" in claim ? [claim.metric].flat() : [""];
  const { size, because } =
    bed.smallest[metric] ??
    ("smallest" in claim || "margin" in claim
      ? { size: 0, because: "" }
      : fail(`testbed ${id}`, `rule smallest-effect: ${metric} has none. Add it to smallest.`));
  return { ...(kind === "no-worse" ? { margin: size } : { smallest: size }), because, ...claim } as Claim;
}
