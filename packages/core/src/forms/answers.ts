import type { VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";

/** What a time-out is cut into. A thread that is busy for long, as with compiling, uses up one part and not all. */
const parts = 4;
const longest = 2 ** 31 - 1;

/** An answer that is on its way, or the error that `late` gives if it takes longer than it may. */
export function inTime<T>(answer: Promise<T>, milliseconds: number, late: () => unknown): Promise<T> {
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

/** What several rows wait for, as one; a failure that comes before anybody waits is not lost, and no crash. */
export function allOf(answers: readonly Promise<void>[]): Promise<void> {
  const all = Promise.all(answers).then(() => {});
  all.catch(() => {});
  return all;
}

/** Refuses an environment that answers later, for who cannot wait. Call it after `reset`. */
export function requireAtOnce(env: VectorEnv, who: string): void {
  if (env.pending)
    fail(
      who,
      `${env.spec.id} answers asynchronously, and ${who} does not wait. Methods that learn from steps do, such as ppo, dqn and sac.`,
    );
}
