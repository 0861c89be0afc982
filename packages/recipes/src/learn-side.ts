import { evaluate, type OptionTable, type Place, Run, type StepPlace } from "@reins/core";
import type { Content } from "./content.ts";
import type { Grid } from "./grid.ts";
import { type LearnsBy, madeBy } from "./made-by.ts";
import type { Budget, Side, Trial } from "./recipe.ts";
import { recordedMean } from "./recorded-mean.ts";
import { RunLog, roundOf } from "./run-log.ts";

/** Numbers by name. */
type Values = { readonly [name: string]: number };

/** Settings of {@link learnSide}. */
export interface LearnSideOptions<T extends OptionTable, G extends Grid> extends LearnsBy<T, G> {
  readonly name: string;
  /** What it is tuned over and may use, where that is not the same for all sides. */
  readonly grid?: G;
  readonly budget?: Budget;
  /** Plain data that tells all of it beside the point of the grid, the seed, the budget and the code: sides that have the same in several recipes are run once. */
  readonly content?: Content;
  /** Where. */
  readonly env: Place | ((trial: Trial<G>) => Place);
  /** What was recorded, for algorithms that learn from that. */
  readonly data?: (trial: Trial<G>) => unknown;
  /** Metrics to average over all rounds. */
  readonly also?: readonly string[];
  /** Looks at the run from its start on: what it gives after a round is averaged over all rounds, and kept as `final/…` from the last. */
  readonly watch?: (run: Run, trial: Trial<G>) => () => Values;
  /** A mean return of the last 100 episodes: `reached` is after how many steps it was there, infinite if never. */
  readonly reach?: number;
  /** Whether the trained policy is also measured over 100 fresh episodes without chance, as `greedy`. */
  readonly greedy?: boolean;
  /** What is measured at the end, beside that. */
  readonly measure?: (run: Run, trial: Trial<G>) => Values | Promise<Values>;
}

/**
 * A side that is one run of an algorithm in one place.
 *
 *     learnSide({ name: "PPO", algorithm: ppo, env: source("CartPole-v1"), also: ["policy/kl"] });
 *
 * Its values are `training`, the mean return over all of training, by which methods that learn faster win, and `last`, that of the last 100
 * episodes, where there are returns; and what `also`, `watch`, `reach`, `greedy` and `measure` ask for.
 */
export function learnSide<T extends OptionTable, const G extends Grid = Grid>(
  o: LearnSideOptions<T, G>,
): Side {
  return {
    name: o.name,
    ...(o.grid && { grid: o.grid }),
    ...(o.budget && { budget: o.budget }),
    ...(o.content !== undefined && { content: o.content }),
    async run(trial: Trial<G>) {
      const { seed, budget: steps } = trial;
      const env = typeof o.env === "function" ? o.env(trial) : o.env;
      const algorithm = madeBy(o, trial);
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
          ? { greedy: recordedMean(evaluate(run, env as StepPlace, { greedy: true, seed })) }
          : {}),
        ...(await o.measure?.(run, trial)),
      };
      return { values, early: log.early, used: run.steps };
    },
  };
}
