import type { Metrics, Run } from "@reins/core";
import { DivergedError } from "./outcome.ts";

/** Updates whose losses (or population returns) show that two arms differ from the start. */
const earlyUpdates = 3;

/** What an outcome needs of a run: the losses of its first updates, and means of metrics over all rounds that measured them. */
export class RunLog {
  /** The losses of the first three updates, or the returns of the first three populations. */
  readonly early: number[] = [];
  private readonly sums = new Map<string, { total: number; count: number }>();
  private updated = 0;
  private readonly names: readonly string[];

  /** Averages these metrics; others are not computed. */
  constructor(names: readonly string[] = []) {
    this.names = names;
  }

  /** Records a round. Call it after every round. */
  note(metrics: Metrics): void {
    for (const name of this.names) this.add(name, metrics[name]);
    if (this.updated >= earlyUpdates) return;
    const measured = (kind: string) =>
      Object.keys(metrics).filter((n) => n.startsWith(kind) && Number.isFinite(metrics[n]));
    const losses = measured("loss/");
    const reported = losses.length ? losses : measured("population/");
    if (reported.length) this.updated++;
    this.early.push(...reported.map((n) => metrics[n]));
  }

  /** Adds a custom number, averaged like a metric. */
  add(name: string, value: number): void {
    if (!Number.isFinite(value)) return;
    const { total, count } = this.sums.get(name) ?? { total: 0, count: 0 };
    this.sums.set(name, { total: total + value, count: count + 1 });
  }

  /** The mean over all rounds that measured it; NaN if none did. */
  mean(name: string): number {
    return this.means[name] ?? Number.NaN;
  }

  /** All means, by name, without metrics that were never measured. */
  get means(): { [name: string]: number } {
    return Object.fromEntries([...this.sums].map(([name, { total, count }]) => [name, total / count]));
  }
}

/** Runs and records a round. A run whose losses are NaN has diverged, which is an outcome and not a bug. */
export function roundOf(run: Run, log: RunLog): void | Promise<void> {
  try {
    const metrics = run.round();
    if (!(metrics instanceof Promise)) return log.note(metrics);
    return metrics.then(
      (m) => log.note(m),
      (error) => failed(run, error),
    );
  } catch (error) {
    failed(run, error);
  }
}

function failed(run: Run, error: unknown): never {
  if (run.statistics.broken() !== undefined && error instanceof Error)
    throw new DivergedError(error.message, { cause: error });
  throw error;
}
