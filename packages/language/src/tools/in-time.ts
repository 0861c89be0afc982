/** What did not come in time. */
export class Late extends Error {}

/** Timers know no longer time; a time that is none is over at once. */
const longest = 2 ** 31 - 1;

/** What comes within so many milliseconds, and before a signal ends it. What comes later is nobody's, and is no unhandled error either. */
export function inTime<T>(work: T | Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T> {
  return new Promise((done, failed) => {
    const late = () => failed(new Late(`there was no answer within ${milliseconds} ms`));
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
 * All results, with `late` for those that are missing when nothing has come for so long. Many wait for one another in a sandbox: as long
 * as some come, the others are on their way.
 */
export function allInTime<T>(work: readonly Promise<T>[], milliseconds: number, late: T): Promise<T[]> {
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
