import { defaultRng, type Generator } from "@reins/core";
import type { Grid } from "./grid.ts";
import type { Budget, Side, Trial } from "./recipe.ts";

/** Something that is learned in a table, step by step, without a run. */
export interface TableLearner {
  /** One step, episode or round, whatever the budget counts. A number that it gives is kept of the first ones: an error, a regret. */
  step(t: number): unknown;
  /** What it came to. */
  values(): { readonly [name: string]: number };
}

/** Settings of {@link tableSide}. */
export interface TableSideOptions<G extends Grid> {
  readonly name: string;
  /** What it is tuned over and may use, where that is not the same for all sides. */
  readonly grid?: G;
  readonly budget?: Budget;
  /** Makes a problem and what learns it. All that is random is drawn from the generator, which has the seed of the trial. */
  readonly begin: (trial: Trial<G>, random: Generator) => TableLearner;
}

/** Numbers that show that two sides differ from the start. */
const earlySteps = 20;

/**
 * A side that is computed in a table: as many steps as the budget has.
 *
 *     tableSide({
 *       name: "epsilon-greedy",
 *       begin({ settings }, random) {
 *         const arms = new Bandit(random, settings);
 *         return { step: () => arms.pull(), values: () => ({ regret: arms.regret }) };
 *       },
 *     });
 */
export function tableSide<const G extends Grid = Grid>(o: TableSideOptions<G>): Side {
  return {
    name: o.name,
    ...(o.grid && { grid: o.grid }),
    ...(o.budget && { budget: o.budget }),
    run(trial: Trial<G>) {
      const { step, values } = o.begin(trial, defaultRng(trial.seed));
      const early: number[] = [];
      for (let t = 0; t < trial.budget; t++) {
        const seen = step(t);
        if (typeof seen === "number" && early.length < earlySteps) early.push(seen);
      }
      return { values: values(), early, used: trial.budget };
    },
  };
}
