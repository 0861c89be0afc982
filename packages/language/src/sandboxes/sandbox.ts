/** How a run ended. Whatever was run, it ends in one of these. */
export type Status =
  /** It ran to its end; `value` is its result. */
  | "ok"
  /** It is at fault: syntax, an exception, a result that is not a value. */
  | "error"
  /** It took more steps or more time than it may. */
  | "timeout"
  /** It took more memory, a deeper stack or a longer result than it may. */
  | "memory"
  /** It was not run: too long, or it asks for what the sandbox does not do. */
  | "refused";

/** What came of a run. */
export interface SandboxOutcome<T = unknown> {
  readonly status: Status;
  /** The result, where the status is `ok`. */
  readonly value?: T;
  /** What went wrong, for people: cut to a line. */
  readonly message?: string;
}

/** What a run may use. Larger allows more and waits longer for programs that never end. */
export interface Limits {
  /** Wall-clock time of one run. Engines that count what they do end by their own limits, which are the same on each machine, far before it. */
  readonly milliseconds: number;
  /** Memory of the sandbox as a whole, its own code and tables among it. */
  readonly megabytes: number;
  /** Most characters that go in, and most that come out. */
  readonly characters: number;
}

/**
 * Runs what nobody has read: programs, queries and documents that a model wrote. A run sees nothing of the host and nothing of earlier
 * runs, and always ends in an outcome: `run` neither throws nor hangs. Only where the engine is not installed is there an error, whatever
 * is run.
 */
export interface Sandbox<Input, Value = unknown> {
  /** Its name in messages: `javascript`. */
  readonly id: string;
  readonly limits: Limits;
  run(input: Input): Promise<SandboxOutcome<Value>>;
}

/** An outcome that is not `ok`. Messages come from what was run, so they are cut and kept to one line. */
export function failure(status: Exclude<Status, "ok">, message: unknown): SandboxOutcome<never> {
  const text = typeof message === "string" ? message : "no message";
  return { status, message: text.slice(0, 200).replace(/\s+/g, " ") };
}
