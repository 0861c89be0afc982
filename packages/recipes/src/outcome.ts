import { ReinsError } from "@reins/core";

/** Thrown by an arm whose run diverged: it counts as the worst of every metric. Any other error is a bug and ends the measurement. */
export class DivergedError extends ReinsError {}

/** Result of one run. */
export interface Outcome {
  /**
   * All numbers for claims and findings, by name; the recipe's metrics must be among them. A non-finite metric counts
   * as its worst.
   */
  readonly values: { readonly [metric: string]: number };
  /** Numbers from the first updates, such as losses: they show that the arms differ from the start. */
  readonly early: readonly number[];
  /** The budget used, in the budget's unit. */
  readonly used: number;
}

/** A measured quantity. */
export interface Metric {
  /** A short description for tables. */
  readonly about: string;
  readonly better: "higher" | "lower";
  /** The value of a run that diverged or never reached its level: nothing is dropped. No run may be worse. */
  readonly worst: number;
  /**
   * The best possible value: a ceiling, an optimum, or the name of another value of the same run. It shows whether a
   * baseline leaves something to gain. `open` if no bound is known.
   */
  readonly best: number | string | "open";
  /**
   * The clock of a time metric: `counted` in steps, tokens or calls (the default), `simulated` by a discrete-event clock with
   * fixed latencies, or `wall`: such runs are alone on the machine, in turns, medians of three, and never compared bit for bit.
   */
  readonly clock?: "counted" | "simulated" | "wall";
}
