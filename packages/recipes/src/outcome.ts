import { ReinsError } from "@reins/core";

/** Thrown by a side whose run diverged: it counts as the worst of every metric. Any other error is a mistake and ends the measurement. */
export class Diverged extends ReinsError {}

/** What came of one run. */
export interface Outcome {
  /**
   * Every number that a claim or a finding may use, by name; the recipe's metrics must be among them. A metric that is not finite counts
   * as its worst.
   */
  readonly values: { readonly [metric: string]: number };
  /** Numbers from the first updates, such as losses: they show that the sides differ from the start. */
  readonly early: readonly number[];
  /** How much was used, in the budget's unit. */
  readonly used: number;
}

/** What is measured. */
export interface Metric {
  /** In a few words, as it stands in tables. */
  readonly about: string;
  readonly better: "higher" | "lower";
  /** What a run counts that diverged, or never reached its level: nothing is dropped. No run may come to anything worse. */
  readonly worst: number;
  /**
   * The best that there can be: a ceiling, an optimum, or the name of another value of the same run that says so. It shows whether a
   * baseline leaves something to gain. `open` where nobody knows a bound.
   */
  readonly best: number | string | "open";
  /**
   * What time is, where the metric is one: `counted` in steps, tokens or calls (the default), `simulated` by a clock of events with
   * fixed latencies, or `wall`: such runs are alone on the machine, in turns, medians of three, and never compared bit for bit.
   */
  readonly clock?: "counted" | "simulated" | "wall";
}
