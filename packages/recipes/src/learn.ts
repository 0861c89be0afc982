import { type Algorithm, evaluate, type Metrics, Run, type StepPlace } from "@reins/core";
import type { Outcome } from "./outcome.ts";

/** Settings of {@link learn}. */
export interface LearnOptions {
  readonly algorithm: Algorithm;
  readonly env: StepPlace;
  readonly steps: number;
  readonly seed: number;
  /**
   * Whether the trained policy is measured over 100 fresh greedy episodes, as `greedy`. What always is: `training`, the mean return over
   * all of training, by which methods that learn faster win, and `last`, that of the last 100 episodes.
   */
  readonly greedy?: boolean;
  /** Metrics to average over all rounds. */
  readonly also?: readonly string[];
  /** Where the trained policy is measured, if not where it learned. */
  readonly evaluation?: StepPlace;
}

/** Rounds whose losses show that two sides differ from the start. */
const earlyRounds = 3;

/** A run of an algorithm on an environment, as an outcome. */
export function learn(options: LearnOptions): Outcome & { readonly run: Run } {
  const { algorithm, env, steps, seed, also = [] } = options;
  const run = new Run({ algorithm, env, steps, seed });
  const early: number[] = [];
  const sums = new Map<string, { total: number; count: number }>();
  const add = (name: string, x: number) => {
    if (!Number.isFinite(x)) return;
    const s = sums.get(name) ?? { total: 0, count: 0 };
    sums.set(name, { total: s.total + x, count: s.count + 1 });
  };
  const mean = (name: string) =>
    sums.has(name) ? sums.get(name)!.total / sums.get(name)!.count : Number.NaN;
  const learned = (m: Metrics) =>
    Object.keys(m).filter((n) => n.startsWith("loss/") && Number.isFinite(m[n]));
  let updated = 0;
  while (!run.finished) {
    const metrics = run.round() as Metrics;
    add("training", metrics["return/mean"]);
    for (const name of also) add(name, metrics[name]);
    const losses = learned(metrics);
    if (updated < earlyRounds && losses.length) {
      early.push(...losses.map((n) => metrics[n]));
      updated++;
    }
  }
  return {
    values: {
      training: mean("training"),
      last: run.metrics["return/mean"],
      ...(options.greedy && { greedy: evaluate(run, options.evaluation, { greedy: true, seed }).mean }),
      ...Object.fromEntries(also.map((n) => [n, mean(n)])),
    },
    early,
    used: run.steps,
    run,
  };
}
