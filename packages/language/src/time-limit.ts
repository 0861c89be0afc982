import { canInterrupt, createContext, Script } from "#node";

/** Thrown by `within` after the time limit. */
export class OutOfTime extends Error {
  constructor(milliseconds: number) {
    super(`It took longer than ${milliseconds} ms.`);
  }
}

const room = createContext({ work: undefined as unknown });
const call = new Script("work()");

/**
 * Runs `work` to its end or interrupts it anywhere: in a loop, in WebAssembly, in a regular expression. Objects that
 * it was changing are left inconsistent, so discard them after `OutOfTime`.
 *
 * `node:vm` serves as a clock that can interrupt a thread; it does not isolate anything here.
 */
export function within<T>(milliseconds: number, work: () => T): T {
  let result: T | undefined;
  let thrown: { error: unknown } | undefined;
  room.work = () => {
    try {
      result = work();
    } catch (error) {
      thrown = { error };
    }
  };
  try {
    call.runInContext(room, { timeout: milliseconds });
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new OutOfTime(milliseconds);
    throw error;
  } finally {
    room.work = undefined;
  }
  if (thrown) throw thrown.error;
  return result as T;
}

/**
 * Runs work that depends on a file from elsewhere: `late` throws when it takes longer than `milliseconds`. Browsers, which stop slow pages
 * themselves, have no limit.
 */
export function limited<T>(milliseconds: number, work: () => T, late: () => never): T {
  if (!canInterrupt) return work();
  try {
    return within(milliseconds, work);
  } catch (error) {
    if (error instanceof OutOfTime) return late();
    throw error;
  }
}

/** Whether a host error means a stack overflow, as deep recursion in WebAssembly causes. */
export const stackIsFull = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/.test(error.message);
