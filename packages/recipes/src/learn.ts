import { type Algorithm, fail, Run, type StepEnvironment } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import type { Outcome } from "./outcome.ts";
import { recordedMean } from "./recorded-mean.ts";
import { RunLog, roundOf } from "./run-log.ts";

/** Settings of {@link learn}. */
export interface LearnOptions {
  readonly algorithm: Algorithm;
  readonly env: StepEnvironment;
  readonly steps: number;
  readonly seed: number;
  /**
   * Also evaluates the trained policy greedily over 100 new episodes, as `greedy`. Always measured: `training`, the mean return over
   * all of training, which favours methods that learn faster, and `last`, that of the last 100 episodes.
   */
  readonly greedy?: boolean;
  /** Metrics to average over all rounds. */
  readonly also?: readonly string[];
  /** Where the trained policy is evaluated (default: where it was trained). */
  readonly evaluation?: StepEnvironment;
}

/** A run of an algorithm in an environment, as an outcome. For a whole arm that is one run, use {@link learnSide}. */
export function learn(options: LearnOptions): Outcome & { readonly run: Run } {
  const { algorithm, env, steps, seed, also = [] } = options;
  const run = new Run({ algorithm, env, steps, seed });
  const log = new RunLog(["return/mean", ...also]);
  while (!run.finished)
    if (roundOf(run, log) instanceof Promise)
      fail("learn", `${env.spec.id} is asynchronous. Use learnSide instead.`);
  return {
    values: {
      training: log.mean("return/mean"),
      last: run.metrics["return/mean"],
      ...(options.greedy && {
        greedy: recordedMean(evaluate(run, options.evaluation, { greedy: true, seed })),
      }),
      ...Object.fromEntries(also.map((n) => [n, log.mean(n)])),
    },
    early: log.early,
    used: run.steps,
    run,
  };
}
