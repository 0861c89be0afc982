import { ReinsError } from "@reins/core";

/** A command that was typed wrongly: exit code 2 instead of 1. */
export class UsageError extends ReinsError {
  override name = "UsageError";
}

/** Throws a {@link UsageError} that says what to type instead. */
export function misuse(message: string): never {
  throw new UsageError(message);
}

/** What is typed wrongly is wrong usage, whoever finds it. */
export function asMisuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return misuse((error as Error).message);
  }
}
