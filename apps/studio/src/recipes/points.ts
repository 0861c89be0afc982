import type { RecipeBlock, RecipeColumn } from "@reins/studio/wire";
import { meanOf as mean } from "reins/core/evaluations";

/** One replicate in a plot: a value for each column, NaN if missing. */
export interface Point {
  readonly name: string;
  /** The number of its block. */
  readonly block: number;
  readonly values: readonly number[];
}

/** Every replicate of every block, by column. */
export function pointsOf(columns: readonly RecipeColumn[], blocks: readonly RecipeBlock[]): Point[] {
  return blocks.flatMap(({ replicates, values }, block) =>
    replicates.map((name, i) => ({
      name,
      block,
      values: columns.map(({ side, metric, less }) => {
        const of = (s: string) => values[s]?.[metric]?.[i] ?? Number.NaN;
        return less === undefined ? of(side) : of(side) - of(less);
      }),
    })),
  );
}

/** The mean of the finite values; NaN of none. */
export const meanOf = (values: readonly number[]): number => mean(values.filter(Number.isFinite));

/** The CSS class of a block: checks are hollow. */
export const blockClass = ({ isCheck }: RecipeBlock, i: number): string =>
  isCheck ? "check" : i === 0 ? "first" : "second";
