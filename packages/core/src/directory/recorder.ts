import type { Metrics } from "../algorithm.ts";
import type { Run } from "../run.ts";
import { LogSchedule } from "./schedule.ts";

/** How often to write. */
export interface RecordOptions {
  /** Rows of metrics in a run. More show more detail and take more space (100 to 1000). */
  readonly rows?: number;
  /** Checkpoints in a run. More lose less in a crash and take more time (5 to 100). */
  readonly checkpoints?: number;
  /** Maximum minutes between checkpoints. */
  readonly minutes?: number;
}

/** Destination of rows of metrics and checkpoints. */
export interface Destination {
  log(step: number, metrics: Readonly<Metrics>): void;
  checkpoint(run: Run): void;
}

/** Decides after each round what to write. Rows depend on steps only, so an interrupted run has the same ones. */
export class RunRecorder {
  private readonly directory: Destination;
  private readonly rows: LogSchedule;
  private readonly checkpoints: LogSchedule;
  private readonly patience: number;
  private logged: number;
  private written: number;
  private last = performance.now();

  constructor(directory: Destination, budget: number, from: number, options: RecordOptions = {}) {
    const { rows = 200, checkpoints = 5, minutes = 5 } = options;
    this.directory = directory;
    this.rows = new LogSchedule(budget, rows, true);
    this.checkpoints = new LogSchedule(budget, checkpoints);
    this.patience = minutes * 60_000;
    this.rows.resume(from);
    this.checkpoints.resume(from);
    this.logged = this.written = from;
  }

  after(run: Run): void {
    const { steps, finished } = run;
    let late = false;
    if (this.rows.due(steps) || (finished && this.logged !== steps)) {
      this.directory.log(steps, run.row);
      this.logged = steps;
      late = performance.now() - this.last > this.patience;
    }
    if (this.checkpoints.due(steps) || late || (finished && this.written !== steps)) {
      this.directory.checkpoint(run);
      this.written = steps;
      this.last = performance.now();
    }
  }
}
