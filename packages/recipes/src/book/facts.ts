import { fail } from "@reins/core";
import { mean } from "../claims/table.ts";
import { effectText, figure } from "../claims/text.ts";
import type { Facts, Recipe } from "../recipe.ts";
import { tableOfAll } from "./protocol.ts";
import { counted, type Result } from "./result.ts";

/** Numbers of a result, for its finding. */
export function factsOf(result: Result): Facts {
  const blocks = result.blocks.slice(0, counted);
  /** Pools a single column: a finding has few numbers, a result thousands. */
  const valuesOf = (side: string, value: string) =>
    blocks[0]?.values[side]?.[value] &&
    tableOfAll(
      blocks.map(({ rivals: _, values, ...block }) => ({
        ...block,
        values: { [side]: { [value]: values[side]?.[value] ?? [] } },
      })),
    ).values[side][value];
  return {
    mean(side, value) {
      const values = valuesOf(side, value);
      return values ? figure(mean(values)) : fail(`recipe ${result.id}`, notThere(`${value} of ${side}`));
    },
    effect: (claim = 0) =>
      result.claims[claim]
        ? effectText(result.claims[claim], result.judged[claim])
        : fail(`recipe ${result.id}`, notThere(`claim ${claim}, counted from 0`)),
    count: new Set(blocks.flatMap((b) => b.replicates)).size,
  };
}

const notThere = (what: string) => `its finding uses ${what}, which was not measured. Correct the finding.`;

/** The finding of a recipe with its numbers filled in, or the error message if that fails: nothing else depends on it. */
export function findingOf(recipe: Recipe, result: Result): string | undefined {
  try {
    return recipe.finding?.(factsOf(result));
  } catch (error) {
    return (error as Error).message;
  }
}
