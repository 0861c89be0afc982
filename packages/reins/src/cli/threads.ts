import { didYouMean } from "@reins/core";
import { misuse } from "./usage.ts";

const backends = ["native", "wasm", "reference", "auto"];

/**
 * Prepares what compiled code runs on, before anything is compiled: as many threads as a flag says, else as REINS_THREADS says, else
 * one. Small networks gain nothing from more, and a busy machine makes them wait for each other.
 */
export function useThreads(asked: number | undefined): void {
  const { REINS_BACKEND: backend } = process.env;
  if (backend && !backends.includes(backend))
    misuse(`REINS_BACKEND is ${backend}.${didYouMean(backend, backends)} It may be ${backends.join(", ")}.`);
  if (asked !== undefined) process.env.REINS_THREADS = String(asked);
  else process.env.REINS_THREADS ||= "1";
  // Commands say themselves which back end runs.
  process.env.REINS_QUIET ||= "1";
}
