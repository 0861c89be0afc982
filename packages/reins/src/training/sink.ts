import type { Metrics } from "@reins/core";

/** A row of metrics and the step at which they were measured. */
export type MetricRow = Readonly<Metrics> & { readonly step: number };

/** The run whose rows a sink receives. */
export interface SinkRun {
  /** Name of its directory, or of its algorithm and environment. */
  readonly name: string;
  /** Its configuration: algorithm, environment, options, steps, seed. */
  readonly config: { readonly [name: string]: unknown };
  /** Earlier rows of a resumed run, up to its checkpoint. */
  readonly rows: readonly MetricRow[];
}

/** Destination of one run's rows. */
export interface SinkWriter {
  row(row: MetricRow): void;
  /** Called after the last row. */
  close?(ended: "finished" | "stopped" | "crashed"): void | Promise<void>;
}

/** A destination for metrics: called when a run starts or resumes, returns the receiver of its rows. */
export type Sink = (run: SinkRun) => SinkWriter | Promise<SinkWriter>;

/** A run with a directory, which reports its rows. */
export interface RowSource {
  readonly about: SinkRun;
  onRow(listener: (step: number, metrics: Readonly<Metrics>) => void): void;
}
