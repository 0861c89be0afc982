import { type Algorithm, type Estimate, estimate, fail, Run, type StepPlace } from "@reins/core";

/** What is compared, and for how long. */
export interface RegretOptions {
  readonly algorithm: Algorithm;
  /** A bandit that shows its means, as those of `@reins/envs` do. */
  readonly env: StepPlace;
  /** Pulls in each run. */
  readonly steps: number;
  /** One run for each seed; 0 to 9 by default. */
  readonly seeds?: readonly number[];
  /** Points of the curve, evenly spaced; 100 by default, fewer where the rounds are longer. */
  readonly points?: number;
}

/** The regret at one time, over the seeds. */
export interface RegretPoint extends Estimate {
  readonly steps: number;
}

/** The regret at the end over the seeds, and how it came about. */
export interface Regretted extends Estimate {
  readonly samples: Float64Array;
  readonly curve: readonly RegretPoint[];
}

/**
 * What an algorithm loses to pulling the best arm from the start: exact in the means of the arms that it pulls, uncertain only in which
 * ones those are.
 */
export function regret({ algorithm, env, steps, seeds = range(10), points = 100 }: RegretOptions): Regretted {
  const runs = seeds.map((seed) => courseOf(new Run({ algorithm, env, steps, seed }), points));
  // Rounds have the same length in every run, so the points are at the same steps.
  const curve = runs[0].map(({ steps: at }, i) => ({ steps: at, ...estimate(runs.map((r) => r[i].regret)) }));
  const samples = Float64Array.from(runs, (r) => r[r.length - 1].regret);
  return { ...estimate(samples), samples, curve };
}

function courseOf(run: Run, points: number): { steps: number; regret: number }[] {
  const { steps, env, algorithm } = run.options;
  const course: { steps: number; regret: number }[] = [];
  for (let i = 1; i <= points; i++) {
    const before = run.steps;
    const { regret } = run.advance(Math.round((steps * i) / points));
    if (regret === undefined)
      fail(
        "regret",
        `${algorithm.name} on ${env.spec.id} reports none. It takes a bandit algorithm and an environment that shows its means.`,
      );
    if (run.steps > before) course.push({ steps: run.steps, regret });
  }
  run.process.close?.();
  return course;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
