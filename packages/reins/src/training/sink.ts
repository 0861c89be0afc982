import type { Metrics } from "@reins/core";

/** A row of metrics: the step at which they were measured, and their values. */
export type MetricRow = Readonly<Metrics> & { readonly step: number };

/** The run whose rows a sink gets. */
export interface SinkRun {
  /** The name of its folder, or one made of what is trained where. */
  readonly name: string;
  /** What it is made of: algorithm, environment, options, steps, seed. */
  readonly config: { readonly [name: string]: unknown };
  /** The rows from before, if it goes on: those after the checkpoint that it goes on from are not among them. */
  readonly rows: readonly MetricRow[];
}

/** Where the rows of one run go. */
export interface SinkWriter {
  row(row: MetricRow): void;
  /** After the last row. */
  close?(ended: "finished" | "stopped" | "crashed"): void | Promise<void>;
}

/** Takes every row that a run keeps elsewhere too: called when a run begins or goes on, it gives what the rows are told to. */
export type Sink = (run: SinkRun) => SinkWriter | Promise<SinkWriter>;

/** A run that is kept, which tells of its rows. */
export interface RowSource {
  readonly about: SinkRun;
  onRow(listener: (step: number, metrics: Readonly<Metrics>) => void): void;
}
