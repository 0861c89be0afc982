import { ReinsError } from "@reins/core";

/** Thrown by a side whose run diverged: it counts as the metric's worst. Any other error is a mistake and ends the measurement. */
export class Diverged extends ReinsError {}

/** What came of one run. */
export interface Outcome {
  /** The metric. Numbers that are not finite count as the metric's worst. */
  readonly value: number;
  /** The metric at each level, where the claim is about a slope. */
  readonly series?: readonly number[];
  /** What is guaranteed, where the claim is a certificate. */
  readonly bound?: number;
  /** Numbers from the first updates, such as losses: they show that the sides differ from the start. */
  readonly early: readonly number[];
  /** How much was used, in the budget's unit. */
  readonly used: number;
  /** Whatever else was measured: it explains the verdict. */
  readonly also?: { readonly [name: string]: number };
}

/** What is measured. */
export interface Metric {
  readonly name: string;
  readonly better: "higher" | "lower";
  /** What a run counts that diverged: nothing is dropped. No run may come to anything worse. */
  readonly worst: number;
}
