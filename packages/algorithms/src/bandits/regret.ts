import { type Algorithm, type Estimate, fail, Run, type StepEnvironment } from "@reins/core";
import { estimate } from "@reins/core/evaluations";

/** Settings of a regret comparison. */
export interface RegretOptions {
  readonly algorithm: Algorithm;
  /** A bandit that exposes its means, as those of `@reins/envs` do. */
  readonly env: StepEnvironment;
  /** Pulls in each run. */
  readonly steps: number;
  /** One run per seed; 0 to 9 by default. */
  readonly seeds?: readonly number[];
  /** Points of the curve, evenly spaced; 100 by default, fewer with longer rounds. */
  readonly points?: number;
}

/** Regret at one time, over the seeds. */
export interface RegretPoint extends Estimate {
  readonly steps: number;
}

/** Final regret over the seeds, and the curve that led to it. */
export interface Regretted extends Estimate {
  readonly samples: Float64Array;
  readonly curve: readonly RegretPoint[];
}

/**
 * Regret of an algorithm against always pulling the best arm: exact in the means of the pulled arms, random only
 * in which arms are pulled.
 */
export function regret({ algorithm, env, steps, seeds = range(10), points = 100 }: RegretOptions): Regretted {
  const runs = seeds.map((seed) => courseOf(new Run({ algorithm, env, steps, seed }), points));
  // Rounds have the same length in every run, so the points fall on the same steps.
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
        `${algorithm.name} on ${env.spec.id} reports no regret. Use a bandit algorithm and an environment that exposes its means.`,
      );
    if (run.steps > before) course.push({ steps: run.steps, regret });
  }
  run.process.close?.();
  return course;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
