import { ReinsError } from "@reins/core";

/** Wrong usage of a command: exit code 2 instead of 1. */
export class UsageError extends ReinsError {
  override name = "UsageError";
}

/** Throws a {@link UsageError}. */
export function usageError(message: string): never {
  throw new UsageError(message);
}

/** Rethrows errors of a parser as {@link UsageError}. */
export function asUsageError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return usageError((error as Error).message);
  }
}
