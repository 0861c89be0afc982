import { type Algorithm, evaluate, type Metrics, Run, type StepPlace } from "@reins/core";
import type { Outcome } from "./outcome.ts";

/** Settings of {@link learn}. */
export interface LearnOptions {
  readonly algorithm: Algorithm;
  readonly env: StepPlace;
  readonly steps: number;
  readonly seed: number;
  /**
   * What the value is: the mean return over all of training, by which methods that learn faster win (`training`, the default); that
   * of the last 100 episodes (`last`); or that of the trained policy over 100 fresh greedy episodes (`greedy`).
   */
  readonly value?: "training" | "last" | "greedy";
  /** Metrics to average over all rounds. */
  readonly also?: readonly string[];
  /** Where the trained policy is measured, if not where it learned. */
  readonly evaluation?: StepPlace;
}

/** Rounds whose losses show that two sides differ from the start. */
const earlyRounds = 3;

/** A run of an algorithm on an environment, as an outcome. */
export function learn(options: LearnOptions): Outcome & { readonly run: Run } {
  const { algorithm, env, steps, seed, value = "training", also = [] } = options;
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
  const result = {
    training: () => mean("training"),
    last: () => run.metrics["return/mean"],
    greedy: () => evaluate(run, options.evaluation, { greedy: true, seed }).mean,
  }[value]();
  return {
    value: result,
    early,
    used: run.steps,
    also: Object.fromEntries(also.map((n) => [n, mean(n)])),
    run,
  };
}
