import { setMaxListeners } from "#node";

/**
 * A signal that aborts with any of others, until `unlink`. `AbortSignal.any` would leave a few bytes in a signal that
 * outlives it, for each call.
 */
export function linkedSignal(...signals: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  unlink(): void;
} {
  const own = new AbortController();
  // A session has many requests, and a request many replies.
  setMaxListeners(0, own.signal, ...signals.filter((signal) => signal !== undefined));
  const links = signals.flatMap((signal) => {
    if (!signal) return [];
    const abort = () => own.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
    return [() => signal.removeEventListener("abort", abort)];
  });
  return {
    signal: own.signal,
    unlink() {
      for (const unlink of links) unlink();
    },
  };
}
