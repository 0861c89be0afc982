import { fail, type Metrics, type Run } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { LogSchedule } from "@reins/core/metrics";
import type { RowSource, Sink, SinkWriter } from "./sink.ts";

/** A CSV file for spreadsheets and pandas: a line per row of metrics, a column per metric, empty if not measured. */
export const csv =
  (path: string): Sink =>
  async (run) =>
    (await import("#node")).csvFile(path, run);

/** An offline run of Weights & Biases in a folder (default `./wandb`), which `wandb sync` uploads. */
export const wandb =
  (folder: string): Sink =>
  async (run) =>
    (await import("#node")).wandbFile(folder, run);

/** Refuses values that are not sinks. */
export function checkSinks(what: string, sinks: unknown): void {
  if (!Array.isArray(sinks))
    fail(what, `sinks is ${describeValue(sinks)}; it must be a list: sinks: [csv("metrics.csv")].`);
  for (const sink of sinks)
    if (typeof sink !== "function")
      fail(what, `${describeValue(sink)} is not a sink. Pass a function such as csv("metrics.csv").`);
}

/** The open sinks of a run. With a run directory they receive its rows; without one, rows are written as often. */
export class Sinks {
  private readonly run: Run;
  private readonly isKept: boolean;
  private readonly schedule: LogSchedule;
  private writers: SinkWriter[] = [];
  private last = -1;

  private constructor(run: Run, kept: RowSource | undefined) {
    this.run = run;
    this.isKept = kept !== undefined;
    this.schedule = new LogSchedule(run.options.steps, 200, true);
    this.schedule.resume(run.steps);
    kept?.onRow((step, metrics) => this.tell(step, metrics));
  }

  static async open(
    sinks: readonly Sink[],
    run: Run,
    kept: RowSource | undefined,
  ): Promise<Sinks | undefined> {
    if (sinks.length === 0) return undefined;
    const opened = new Sinks(run, kept);
    const about = kept?.about ?? { ...aboutOf(run), rows: [] };
    for (const sink of sinks) opened.writers.push(await sink(about));
    return opened;
  }

  /** Called after every round. */
  round(): void {
    const { steps, finished } = this.run;
    if (!this.isKept && (this.schedule.due(steps) || (finished && this.last !== steps))) this.log();
  }

  /** Called after an evaluation. */
  evaluated(metrics: Metrics): void {
    if (!this.isKept) this.tell(this.run.steps, metrics);
  }

  /** Closes all sinks, even if one fails. A solved run gets a final row. */
  async close(ended: "finished" | "solved" | "stopped" | "crashed"): Promise<void> {
    if (!this.isKept && ended === "solved" && this.last !== this.run.steps) this.log();
    const { writers } = this;
    this.writers = [];
    const closing = writers.map(async (w) => w.close?.(ended === "solved" ? "finished" : ended));
    for (const { status, ...rest } of await Promise.allSettled(closing))
      if (status === "rejected" && "reason" in rest) throw rest.reason;
  }

  private log(): void {
    this.last = this.run.steps;
    this.tell(this.run.steps, this.run.row);
  }

  private tell(step: number, metrics: Readonly<Metrics>): void {
    const row = { step, ...metrics };
    for (const writer of this.writers) writer.row(row);
  }
}

const aboutOf = ({ options: { algorithm, env, steps, seed } }: Run) => ({
  name: `${algorithm.name}-${env.spec.id}`,
  config: { algorithm: algorithm.name, options: algorithm.options, env: env.spec.id, steps, seed },
});
