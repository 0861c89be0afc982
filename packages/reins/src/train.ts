import { setTimeout as sleep } from "node:timers/promises";
import type { Learner } from "./learner.ts";

/** How far training has come. */
export interface Progress {
  readonly step: number;
  readonly steps: number;
  /** Mean loss of each report so far, this one last. */
  readonly losses: readonly number[];
  readonly accuracy: number;
  /** Updates a second, waiting not counted. */
  readonly rate: number;
  /** Seconds until the end, waiting counted. */
  readonly left: number;
}

/** What happened in all. */
export interface Outcome {
  readonly progress: Progress;
  /** Seconds that the updates took, and seconds from beginning to end. */
  readonly computing: number;
  readonly elapsed: number;
}

/** Settings of {@link train}. */
export interface TrainOptions {
  steps: number;
  /** How often to report: the steps are shared out evenly. */
  reports: number;
  /** Least seconds from one report to the next; 0 does not wait. */
  interval: number;
  report(progress: Progress): void;
}

/** Trains to the end. Between reports the process can listen: to Ctrl-C, or to a window that changes its size. */
export async function train(
  learner: Learner,
  { steps, reports, interval, report }: TrainOptions,
): Promise<Outcome> {
  const begin = performance.now();
  const count = Math.min(reports, steps);
  const losses: number[] = [];
  let [step, computing] = [0, 0];
  let progress: Progress | undefined;
  for (let i = 1; i <= count; i++) {
    const start = performance.now();
    const [from, to] = [step, Math.round((i * steps) / count)];
    let total = 0;
    for (; step < to; step++) total += learner.update();
    const taken = (performance.now() - start) / 1e3;
    computing += taken;
    losses.push(total / (to - from));
    const rate = step / computing;
    const left = Math.max((steps - step) / rate, (count - i) * interval);
    progress = { step, steps, losses, accuracy: learner.accuracy(), rate, left };
    report(progress);
    const rest = interval - (performance.now() - start) / 1e3;
    await sleep(i < count ? Math.max(0, rest * 1e3) : 0);
  }
  return { progress: progress!, computing, elapsed: (performance.now() - begin) / 1e3 };
}
