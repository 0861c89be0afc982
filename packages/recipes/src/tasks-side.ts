import type { OptionTable, StepPlace } from "@reins/core";
import { byName } from "./by-name.ts";
import { mean } from "./claims/table.ts";
import type { Grid } from "./grid.ts";
import { learn } from "./learn.ts";
import { type LearnsBy, madeBy } from "./made-by.ts";
import type { Side, Trial } from "./recipe.ts";

/** One of several tasks. */
export interface Task {
  readonly env: StepPlace;
  /** Its part of the steps, of what all tasks' parts add up to; 1 by default. */
  readonly part?: number;
  /** Returns that count as 0 and as 1; those themselves by default. */
  readonly low?: number;
  readonly high?: number;
}

/** Settings of {@link tasksSide}. */
export interface TasksSideOptions<T extends OptionTable, G extends Grid> extends LearnsBy<T, G> {
  readonly name: string;
  readonly tasks: { readonly [name: string]: Task };
  /** What counts: the mean return over all of training, by which methods that learn faster win, or that of the last 100 episodes. */
  readonly by: "training" | "last";
}

/**
 * A side that learns several tasks, each from the start, with the same settings. Its values are those of the tasks under their names, between what counts as 0 and as 1,
 * and `score`, their mean.
 */
export function tasksSide<T extends OptionTable, const G extends Grid = Grid>(
  o: TasksSideOptions<T, G>,
): Side {
  const all = Object.entries(o.tasks);
  const parts = all.reduce((sum, [, { part = 1 }]) => sum + part, 0);
  return {
    name: o.name,
    run(trial: Trial<G>) {
      const done = all.map(([task, { env, part = 1, low = 0, high = 1 }]) => {
        const steps = Math.round((trial.budget * part) / parts);
        const { values, early, used } = learn({ algorithm: madeBy(o, trial), env, steps, seed: trial.seed });
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
