/** A workload that takes environment steps. */
export interface Workload {
  /** Takes some steps; returns their number. */
  iterate(): number;
  /** The version of the engine, if it is not Reins. */
  readonly version?: string;
}
