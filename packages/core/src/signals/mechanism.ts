import type { Snapshot } from "../snapshot.ts";

/** The running part of a signal: a value that changes with progress and with measurements. */
export interface Mechanism {
  readonly initial: number;
  /** The value at this progress. */
  at?(progress: number): number;
  /** Processes a new measurement and returns the new value. */
  observe?(measured: number): number;
  save?(): Snapshot;
  restore?(from: Snapshot): void;
}
