import { didYouMean } from "@reins/core/errors";
import { usageError } from "./usage.ts";

const backends = ["native", "wasm", "reference", "auto"];

/**
 * Sets the number of threads before anything is compiled: the flag, else REINS_THREADS, else 1. Small networks gain nothing from more
 * threads, and on a busy machine they wait for each other.
 */
export function useThreads(threads: number | undefined): void {
  const { REINS_BACKEND: backend } = process.env;
  if (backend && !backends.includes(backend))
    usageError(
      `unknown REINS_BACKEND ${backend}.${didYouMean(backend, backends)} Use one of ${backends.join(", ")}.`,
    );
  if (threads !== undefined) process.env.REINS_THREADS = String(threads);
  else process.env.REINS_THREADS ||= "1";
  // Commands print the back end themselves.
  process.env.REINS_QUIET ||= "1";
}
