import type { OptionTable, StepEnvironment } from "@reins/core";
import { type ArmAlgorithmOptions, armAlgorithm } from "./arm-algorithm.ts";
import { byName } from "./by-name.ts";
import { mean } from "./claims/table.ts";
import type { Grid } from "./grid.ts";
import { learn } from "./learn.ts";
import type { Arm, Trial } from "./recipe.ts";

/** One of several tasks. */
export interface ArmTask {
  readonly env: StepEnvironment;
  /** Its share of the steps, relative to the sum over all tasks; 1 by default. */
  readonly part?: number;
  /** Returns that map to 0 and to 1 (default: no scaling). */
  readonly low?: number;
  readonly high?: number;
}

/** Settings of {@link tasksArm}. */
export interface TasksSideOptions<T extends OptionTable, G extends Grid> extends ArmAlgorithmOptions<T, G> {
  readonly name: string;
  readonly tasks: { readonly [name: string]: ArmTask };
  /** The score: the mean return over all of training, which favours methods that learn faster, or that of the last 100 episodes. */
  readonly by: "training" | "last";
}

/**
 * An arm that learns several tasks, each from scratch, with the same settings. Its values are those of the tasks under their names, scaled to [0, 1],
 * and `score`, their mean.
 */
export function tasksArm<T extends OptionTable, const G extends Grid = Grid>(o: TasksSideOptions<T, G>): Arm {
  const all = Object.entries(o.tasks);
  const parts = all.reduce((sum, [, { part = 1 }]) => sum + part, 0);
  return {
    name: o.name,
    run(trial: Trial<G>) {
      const done = all.map(([task, { env, part = 1, low = 0, high = 1 }]) => {
        const steps = Math.round((trial.budget * part) / parts);
        const { values, early, used } = learn({
          algorithm: armAlgorithm(o, trial),
          env,
          steps,
          seed: trial.seed,
        });
        return { task, early, used, score: (values[o.by] - low) / (high - low) };
      });
      const scores = byName(
        done,
        (d) => d.task,
        (d) => d.score,
      );
      return {
        values: { score: mean(done.map((d) => d.score)), ...scores },
        early: done[0].early,
        used: done.reduce((sum, d) => sum + d.used, 0),
      };
    },
  };
}
