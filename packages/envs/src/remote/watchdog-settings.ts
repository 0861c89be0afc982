/** Watchdog settings of a process that runs an environment. */
export interface Watched {
  /** A number that is odd while a call is being handled, and 1 while the environment is created. */
  readonly calls: Int32Array;
  /** Timeout of a call in milliseconds. */
  readonly timeout: number;
  /** The parent process. */
  readonly parent: number;
}

/** The last line on standard error of a process that timed out. */
export const tooLate = "no answer in time: this process was ended";

/** Timeout of creating an environment in milliseconds: loading code takes longer than a step. */
export const startingTime = (timeout: number): number => Math.max(timeout, 60_000);
