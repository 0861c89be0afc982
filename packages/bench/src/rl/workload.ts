/** Something that takes environment steps when it is asked to. */
export interface Workload {
  /** Takes some steps; how many. */
  iterate(): number;
  /** Who takes them, where it is not Reins. */
  readonly version?: string;
}
