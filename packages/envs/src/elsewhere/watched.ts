/** What is watched in a process that plays an environment. */
export interface Watched {
  /** A number that is odd while a call is being answered, and 1 while the environment is made. */
  readonly calls: Int32Array;
  /** Milliseconds that a call may take. */
  readonly timeout: number;
  /** The process that asks. */
  readonly parent: number;
}

/** What a process that was too slow has written to its standard error. */
export const tooLate = "no answer in time: this process was ended";

/** Milliseconds that making an environment may take: loading code takes longer than a step. */
export const startingTime = (timeout: number): number => Math.max(timeout, 60_000);
