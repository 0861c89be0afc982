import type { VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";

/** Number of parts of a time-out. A thread that is blocked for long, for example by compiling, uses up one part and not all. */
const parts = 4;
const longest = 2 ** 31 - 1;

/** Adds a time-out to a pending answer; `late` makes the error. */
export function withTimeout<T>(answer: Promise<T>, milliseconds: number, late: () => unknown): Promise<T> {
  if (milliseconds === Number.POSITIVE_INFINITY) return answer;
  return new Promise((resolve, reject) => {
    let left = parts;
    let clock: ReturnType<typeof setTimeout>;
    const wait = () => {
      clock = setTimeout(
        () => (--left > 0 ? wait() : reject(late())),
        Math.min(longest, milliseconds / parts),
      );
    };
    wait();
    answer.then(resolve, reject).finally(() => clearTimeout(clock));
  });
}

/** One promise for the answers of several rows; a rejection before it is awaited is neither lost nor a crash. */
export function allOf(answers: readonly Promise<void>[]): Promise<void> {
  const all = Promise.all(answers).then(() => {});
  all.catch(() => {});
  return all;
}

/** Throws for an asynchronous environment, in code that cannot wait. Call it after `reset`. */
export function requireSynchronous(env: VectorEnv, subject: string): void {
  if (env.pending)
    fail(
      subject,
      `${env.spec.id} answers asynchronously, which ${subject} does not support. Use a method that learns from steps, such as ppo, dqn or sac.`,
    );
}
