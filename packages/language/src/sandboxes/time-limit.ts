import { createContext, Script } from "#node";

/** Thrown by `within` when the time is over. */
export class OutOfTime extends Error {
  constructor(milliseconds: number) {
    super(`It took longer than ${milliseconds} ms.`);
  }
}

const room = createContext({ work: undefined as unknown });
const call = new Script("work()");

/**
 * Runs `work` to its end or stops it in the middle, wherever it is: in a loop, in WebAssembly, in a regular expression. What it was
 * changing is left half changed, so whoever is told `OutOfTime` throws those objects away.
 *
 * `node:vm` serves as the clock that can stop a thread; it does not isolate anything here.
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

/** Whether an error of the host says that its stack is full: deep recursion inside WebAssembly ends so. */
export const stackIsFull = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/.test(error.message);
