import type { Metrics, Run } from "@reins/core";
import { inspectAs } from "../agents/inspect.ts";

/** Progress of a run. */
export interface Progress {
  readonly run: Run;
  /** Environment steps so far, and in total. */
  readonly steps: number;
  readonly budget: number;
  /** Finished episodes. */
  readonly episodes: number;
  /** Mean return of the last 100 episodes; NaN before the first ends. */
  readonly return: number;
  /** Seconds since the start. */
  readonly seconds: number;
  /** Recent environment steps per second. */
  readonly stepsPerSecond: number;
  /** Seconds until the end of the budget at this speed. */
  readonly left: number;
  readonly metrics: Metrics;
}

/** Measures the speed of a run. */
export class Watch {
  private readonly run: Run;
  private readonly began: number;
  private loop = performance.now();
  private readonly from: number;
  private last: { at: number; steps: number };
  private speed = 0;

  constructor(run: Run, began: number) {
    this.run = run;
    this.began = began;
    this.from = run.steps;
    this.last = { at: this.loop, steps: run.steps };
  }

  /** Measures the speed since the last call, and returns the progress. Pauses do not count. */
  look(waiting = false): Progress {
    const { run, last } = this;
    const now = performance.now();
    const recent = (1000 * (run.steps - last.steps)) / Math.max(1, now - last.at);
    if (!waiting) this.speed = this.speed === 0 ? recent : 0.7 * this.speed + 0.3 * recent;
    this.last = { at: now, steps: run.steps };
    return this.progress();
  }

  /** Excludes time without training, such as an evaluation, in milliseconds. */
  leaveOut(time: number): void {
    this.last.at += time;
    this.loop += time;
  }

  /** The progress so far, with the last measured speed. */
  progress(): Progress {
    const { run } = this;
    const progress: Progress = {
      run,
      steps: run.steps,
      budget: run.options.steps,
      episodes: run.metrics.episodes ?? 0,
      return: run.metrics["return/mean"] ?? Number.NaN,
      seconds: (performance.now() - this.began) / 1000,
      stepsPerSecond: this.speed,
      left: Math.max(0, run.options.steps - run.steps) / this.speed,
      metrics: run.metrics,
    };
    return inspectAs(progress, ({ run: _, metrics: __, ...rest }) => rest);
  }

  /** Steps per second since the first round, without compilation and evaluations. */
  get overall(): number {
    return (1000 * (this.run.steps - this.from)) / Math.max(1e-3, performance.now() - this.loop);
  }
}

/** Adds up the steps of several runs from their progress. Steps beyond a run's budget do not count. */
export function stepsOfAll(): (progress: Progress) => number {
  const steps = new Map<Run, number>();
  return ({ run, steps: taken, budget }) => {
    steps.set(run, Math.min(taken, budget));
    return [...steps.values()].reduce((a, b) => a + b, 0);
  };
}
