/** How a run ended. Every run ends in one of these. */
export type Status =
  /** It completed; `value` is its result. */
  | "ok"
  /** It failed: syntax, an exception, an invalid result. */
  | "error"
  /** It exceeded its steps or time. */
  | "timeout"
  /** It exceeded its memory, stack or result size. */
  | "memory"
  /** It was not run: too long, or it requests something that the sandbox does not support. */
  | "refused";

/** The outcome of a run. */
export interface SandboxOutcome<T = unknown> {
  readonly status: Status;
  /** The result, if the status is `ok`. */
  readonly value?: T;
  /** Error message for people: a single line. */
  readonly message?: string;
}

/** Limits of a run. Larger allows more and waits longer for programs that never end. */
export interface SandboxLimits {
  /**
   * Wall-clock time of one run. Engines that count steps end far earlier, at limits that are the same on every
   * machine.
   */
  readonly milliseconds: number;
  /** Memory of the whole sandbox, including its code and tables. */
  readonly megabytes: number;
  /** Maximum characters of input, and of output. */
  readonly characters: number;
}

/**
 * Runs untrusted input: programs, queries and documents that a model wrote. A run sees nothing of the host or of
 * earlier runs, and always ends in an outcome: `run` neither throws nor hangs, except if the engine is not installed.
 */
export interface Sandbox<Input, Value = unknown> {
  /** Name in messages: `javascript`. */
  readonly id: string;
  readonly limits: SandboxLimits;
  run(input: Input): Promise<SandboxOutcome<Value>>;
}

/** An outcome that is not `ok`. Messages come from the program, so they are cut to one line. */
export function failure(status: Exclude<Status, "ok">, message: unknown): SandboxOutcome<never> {
  const text = typeof message === "string" ? message : "no message";
  return { status, message: text.slice(0, 200).replace(/\s+/g, " ") };
}
