import { fail } from "@reins/core";
import type { Bed } from "./bed.ts";
import type { Claim } from "./claims/claim.ts";
import { recipe } from "./make.ts";
import type { Recipe } from "./recipe.ts";
import { checkTestbed } from "./testbed-check.ts";
import type { RowOptions, TestbedOptions } from "./testbed-options.ts";
import { recipeOn } from "./testbed-recipe.ts";

/** A task with tuned baselines on which many systems are measured. It is measured first, like a recipe whose claim is that there is something to gain. */
export interface Testbed extends Recipe {
  readonly bed: Bed;
  /** A recipe on this testbed. */
  recipe(row: RowOptions): Recipe;
}

/**
 * Makes a testbed and checks it.
 *
 *     export const sums = testbed({ id: "sums", baselines: [arm("GRPO", grpo), arm("DAPO", dapo)], grid: { … }, … });
 *     export default sums.recipe({ id: "adarft", system: arm("AdaRFT", grpo, {}, { parts }), ablation: …, … });
 */
export function testbed(o: TestbedOptions): Testbed {
  checkTestbed(o);
  const { baselines, grid, rowGrid = grid, title, answers, smallest, conditions, ...rest } = o;
  const [system, ...others] = baselines.map((arm) => ({ ...arm, grid: arm.grid ?? grid }));
  const own = recipe({
    ...rest,
    grid,
    paper: title,
    source: "a testbed",
    system,
    baselines: others,
    claims: [roomClaim(o)],
  });
  const bed: Bed = { answers, smallest, conditions, rowGrid };
  const made: Testbed = { ...own, bed, recipe: (row) => recipeOn(made, row) };
  return made;
}

/** The claim that the first baseline leaves at least three times the smallest effect to gain. */
function roomClaim({ id, metrics, smallest }: TestbedOptions): Claim {
  const [[metric, { best, better }]] = Object.entries(metrics);
  if (typeof best !== "number")
    return fail(
      `testbed ${id}`,
      `metrics.${metric}.best is ${best}. Give the best possible number, so that room can be measured.`,
    );
  const room = 3 * smallest[metric].size;
  return {
    kind: better === "higher" ? "at-most" : "at-least",
    metric,
    value: better === "higher" ? best - room : best + room,
    because: "three times the smallest relevant effect must be left to gain",
  };
}
