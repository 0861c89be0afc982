/** Sets how many threads compiled code may use, before anything is compiled; what REINS_THREADS says stands unless a flag says more. */
export function useThreads(asked: number | undefined): void {
  if (asked !== undefined) process.env.REINS_THREADS = String(asked);
  else process.env.REINS_THREADS ||= "1";
  // Commands say themselves which back end runs.
  process.env.REINS_QUIET ||= "1";
}
