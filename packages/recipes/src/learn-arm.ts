import { type Environment, type OptionTable, Run, type StepEnvironment } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import { type ArmAlgorithmOptions, armAlgorithm } from "./arm-algorithm.ts";
import type { ArmContent } from "./content.ts";
import type { Grid } from "./grid.ts";
import type { Arm, Budget, Trial } from "./recipe.ts";
import { recordedMean } from "./recorded-mean.ts";
import { RunLog, roundOf } from "./run-log.ts";

/** Numbers by name. */
type Values = { readonly [name: string]: number };

/** Settings of {@link learnArm}. */
export interface LearnSideOptions<T extends OptionTable, G extends Grid> extends ArmAlgorithmOptions<T, G> {
  readonly name: string;
  /** Its own grid and budget, if they differ from those of the other arms. */
  readonly grid?: G;
  readonly budget?: Budget;
  /** Plain data that determines the arm besides the point of the grid, the seed, the budget and the code: equal arms of several recipes run once. */
  readonly content?: ArmContent;
  /** The environment. */
  readonly env: Environment | ((trial: Trial<G>) => Environment);
  /** Recorded data, for offline algorithms. */
  readonly data?: (trial: Trial<G>) => unknown;
  /** Metrics to average over all rounds. */
  readonly also?: readonly string[];
  /** Observes the run from its start: its values after each round are averaged over all rounds, and kept as `final/…` from the last. */
  readonly watch?: (run: Run, trial: Trial<G>) => () => Values;
  /** A mean return of the last 100 episodes: `reached` is the number of steps until it was reached, infinite if never. */
  readonly reach?: number;
  /** Also evaluates the trained policy greedily over 100 new episodes, as `greedy`. */
  readonly greedy?: boolean;
  /** Further measurements at the end. */
  readonly measure?: (run: Run, trial: Trial<G>) => Values | Promise<Values>;
}

/**
 * An arm that is one run of an algorithm in one place.
 *
 *     learnSide({ name: "PPO", algorithm: ppo, env: source("CartPole-v1"), also: ["policy/kl"] });
 *
 * Its values are `training`, the mean return over all of training, which favours methods that learn faster, and `last`, that of the last 100
 * episodes, if there are returns; and those of `also`, `watch`, `reach`, `greedy` and `measure`.
 */
export function learnArm<T extends OptionTable, const G extends Grid = Grid>(o: LearnSideOptions<T, G>): Arm {
  return {
    name: o.name,
    ...(o.grid && { grid: o.grid }),
    ...(o.budget && { budget: o.budget }),
    ...(o.content !== undefined && { content: o.content }),
    async run(trial: Trial<G>) {
      const { seed, budget: steps } = trial;
      const env = typeof o.env === "function" ? o.env(trial) : o.env;
      const algorithm = armAlgorithm(o, trial);
      const run = new Run({ algorithm, env, steps, seed, ...(o.data ? { data: o.data(trial) } : {}) });
      const log = new RunLog(["return/mean", ...(o.also ?? [])]);
      const look = o.watch?.(run, trial);
      let final: Values = {};
      let reached = Number.POSITIVE_INFINITY;
      while (!run.finished) {
        await roundOf(run, log);
        if (o.reach !== undefined && run.metrics["return/mean"] >= o.reach)
          reached = Math.min(reached, run.steps);
        final = look?.() ?? {};
        for (const [name, value] of Object.entries(final)) log.add(name, value);
      }
      const { "return/mean": training, ...means } = log.means;
      const values = {
        ...(training === undefined ? {} : { training, last: run.metrics["return/mean"] }),
        ...(o.reach !== undefined && { reached }),
        ...means,
        ...Object.fromEntries(Object.entries(final).map(([name, value]) => [`final/${name}`, value])),
        ...(o.greedy
          ? { greedy: recordedMean(evaluate(run, env as StepEnvironment, { greedy: true, seed })) }
          : {}),
        ...(await o.measure?.(run, trial)),
      };
      return { values, early: log.early, used: run.steps };
    },
  };
}
