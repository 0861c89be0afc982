import { mean } from "../claims/table.ts";
import { effectText, figure } from "../claims/text.ts";
import type { Facts, Recipe } from "../recipe.ts";
import { tableOfAll } from "./protocol.ts";
import { counted, type Result } from "./result.ts";

/** What a finding may say of a result. */
export function factsOf(result: Result): Facts {
  const table = tableOfAll(result.blocks.slice(0, counted));
  return {
    mean: (side, value) => figure(mean(table.values[side]?.[value] ?? [])),
    effect: (claim = 0) => effectText(result.claims[claim], result.judged[claim]),
    count: table.replicates.length,
  };
}

/** The finding of a recipe with its numbers filled in. */
export const findingOf = (recipe: Recipe, result: Result): string | undefined =>
  recipe.finding?.(factsOf(result));
