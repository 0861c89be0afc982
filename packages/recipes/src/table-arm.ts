import { defaultRng, type Generator } from "@reins/core/random";
import type { Grid } from "./grid.ts";
import type { Arm, Budget, Trial } from "./recipe.ts";

/** A tabular learner, step by step, without a run. */
export interface TableLearner {
  /** One step, episode or round, as the budget counts. The first numbers it returns are kept: an error, a regret. */
  step(t: number): unknown;
  /** Its final values. */
  values(): { readonly [name: string]: number };
}

/** Settings of {@link tableArm}. */
export interface TableSideOptions<G extends Grid> {
  readonly name: string;
  /** Its own grid and budget, if they differ from those of the other arms. */
  readonly grid?: G;
  readonly budget?: Budget;
  /** Makes a problem and its learner. All randomness comes from the generator, which has the seed of the trial. */
  readonly begin: (trial: Trial<G>, random: Generator) => TableLearner;
}

/** Number of early values that show that two arms differ from the start. */
const earlySteps = 20;

/**
 * A tabular arm with as many steps as the budget has.
 *
 *     tableSide({
 *       name: "epsilon-greedy",
 *       begin({ settings }, random) {
 *         const arms = new Bandit(random, settings);
 *         return { step: () => arms.pull(), values: () => ({ regret: arms.regret }) };
 *       },
 *     });
 */
export function tableArm<const G extends Grid = Grid>(o: TableSideOptions<G>): Arm {
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
