/** Thrown when work exceeds its timeout. */
export class TimedOut extends Error {}

/** Maximum delay of timers; longer or invalid delays would fire at once. */
const longest = 2 ** 31 - 1;

/** The result of work within a timeout, unless a signal aborts it. Later results and errors are ignored. */
export function withTimeout<T>(work: T | Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T> {
  return new Promise((done, failed) => {
    const late = () => failed(new TimedOut(`no answer within ${milliseconds} ms`));
    const timer = setTimeout(late, Math.min(milliseconds, longest));
    const ended = () => failed(signal!.reason);
    signal?.addEventListener("abort", ended, { once: true });
    Promise.resolve(work)
      .then(done, failed)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", ended);
      });
  });
}

/**
 * All results, with `late` for those missing when none has arrived for the timeout. Many may queue for the same
 * sandbox: while results arrive, the others are still pending.
 */
export function allWithTimeout<T>(work: readonly Promise<T>[], milliseconds: number, late: T): Promise<T[]> {
  return new Promise((done) => {
    const out = work.map(() => late);
    let left = work.length;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      if (left === 0) done(out);
      else timer = setTimeout(() => done([...out]), milliseconds);
    };
    work.forEach((result, i) =>
      result.then((value) => {
        out[i] = value;
        left--;
        wait();
      }),
    );
    wait();
  });
}
