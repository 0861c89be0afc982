import type { Breath, Run } from "@reins/core";

/** What happens while a run goes on. */
export interface Hooks {
  /** Takes a round of the run, where it is not the run itself that does. */
  step?(): unknown;
  /** After every round. Must not allocate. Returning false ends the loop; a promise is waited for, and may do so too. */
  round?(): boolean | undefined | Promise<boolean | undefined>;
  /** Now and then, by the clock; other things may happen afterwards (a key, a signal, a frame). Returning false ends the loop; a promise is waited for. */
  pause?(): boolean | undefined | Promise<boolean | undefined>;
  /** Whether a pause is due at once, whatever the clock says. Must not allocate. */
  urgent?(): boolean;
  /** Milliseconds between pauses. */
  readonly every: number;
}

/**
 * Advances a run to its end. The clock is read a few hundred times a second however short the rounds are: reading it makes a number on
 * the heap, and an off-policy method has a million rounds.
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
    // About 5 ms from look to look; never more than twice as many rounds as before, in case they become slow.
    stride = Math.max(1, Math.min(stride * 2, Math.floor((5 * stride) / Math.max(now - looked, 0.01))));
    looked = now;
    if (now - paused < every && !isUrgent) continue;
    const resting = pause?.();
    if ((resting instanceof Promise ? await resting : resting) === false) break;
    await new Promise<void>(breathe);
    paused = looked = performance.now();
  }
}

const never = () => false;

/** Thrown when the user interrupts. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** Lets everything else have its turn every so many milliseconds, and throws {@link Interrupted} if somebody then wishes to stop. */
export function breathing(every: number, stop: () => boolean): Breath {
  let last = performance.now();
  const turn = async () => {
    await new Promise<void>(breathe);
    last = performance.now();
    if (stop()) throw new Interrupted("stopped");
  };
  return () => (performance.now() - last < every ? undefined : turn());
}

/** Lets everything else have its turn. A timer costs a millisecond, so it is only for where there is nothing better: browsers. */
const breathe = (done: () => void): unknown =>
  typeof setImmediate === "function" ? setImmediate(done) : setTimeout(done, 0);

/** Waits while something holds, and looks every so many milliseconds; false as soon as a look says so. */
export async function waiting(look: () => boolean, holds: () => boolean, every: number): Promise<boolean> {
  while (holds()) {
    await new Promise((done) => setTimeout(done, Math.max(10, every)));
    if (!look()) return false;
  }
  return true;
}
