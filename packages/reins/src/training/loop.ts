import type { Run, YieldHook } from "@reins/core";

/** Hooks of the training loop. */
export interface Hooks {
  /** Runs a round instead of the run's own method. */
  step?(): unknown;
  /** Called after every round. Must not allocate. Returning false ends the loop; a promise is awaited. */
  round?(): boolean | undefined | Promise<boolean | undefined>;
  /** Called periodically, by the clock; the loop then yields to the event loop. Returning false ends the loop; a promise is awaited. */
  pause?(): boolean | undefined | Promise<boolean | undefined>;
  /** Whether a pause is due at once. Must not allocate. */
  urgent?(): boolean;
  /** Milliseconds between pauses. */
  readonly every: number;
}

/**
 * Advances a run to its end. The clock is read a few hundred times a second however short the rounds are: reading it allocates a
 * number, and an off-policy method has a million rounds.
 */
export async function advance(
  run: Run,
  { step = () => run.round(), round, pause, urgent = never, every }: Hooks,
): Promise<void> {
  let stride = 1;
  let counted = 0;
  let looked = performance.now();
  let paused = looked;
  while (!run.finished) {
    const working = step();
    if (working instanceof Promise) await working;
    const went = round?.();
    if ((went instanceof Promise ? await went : went) === false) break;
    const isUrgent = urgent();
    if (++counted < stride && !isUrgent) continue;
    counted = 0;
    const now = performance.now();
    // About 5 ms between readings; at most twice as many rounds as before, in case they become slow.
    stride = Math.max(1, Math.min(stride * 2, Math.floor((5 * stride) / Math.max(now - looked, 0.01))));
    looked = now;
    if (now - paused < every && !isUrgent) continue;
    const resting = pause?.();
    if ((resting instanceof Promise ? await resting : resting) === false) break;
    await new Promise<void>(yieldOnce);
    paused = looked = performance.now();
  }
}

const never = () => false;

/** Thrown when the user interrupts. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** Yields to the event loop every `milliseconds`, and throws {@link Interrupted} if the user interrupted. */
export function yieldEvery(every: number, stop: () => boolean): YieldHook {
  let last = performance.now();
  const turn = async () => {
    await new Promise<void>(yieldOnce);
    last = performance.now();
    if (stop()) throw new Interrupted("stopped");
  };
  return () => (performance.now() - last < every ? undefined : turn());
}

/** Yields to the event loop. Browsers lack setImmediate, so that a timer is used, which costs a millisecond. */
const yieldOnce = (done: () => void): unknown =>
  typeof setImmediate === "function" ? setImmediate(done) : setTimeout(done, 0);

/** Waits while a condition holds and polls at an interval; false as soon as a poll returns false. */
export async function waiting(look: () => boolean, holds: () => boolean, every: number): Promise<boolean> {
  while (holds()) {
    await new Promise((done) => setTimeout(done, Math.max(10, every)));
    if (!look()) return false;
  }
  return true;
}
