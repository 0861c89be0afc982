import type { Snapshot } from "../snapshot.ts";

/** The working part of a signal: a value that moves with progress and with measurements. */
export interface Mechanism {
  readonly initial: number;
  /** The value at this progress. */
  at?(progress: number): number;
  /** A new measurement arrived; the value from now on. */
  observe?(measured: number): number;
  save?(): Snapshot;
  restore?(from: Snapshot): void;
}
