import type { Curve } from "../../curves/curve.ts";

/** A place in a run's curves where it was stopped and resumed later. */
export interface Interruption {
  /** On the x axis of the curves. */
  readonly x: number;
  /** Seconds between the stop and the resumption. */
  readonly seconds: number;
}

/** Seconds by which the wall clock must be ahead of the time spent on the run: clocks are adjusted now and then. */
const least = 1;

/**
 * Finds where a run was stopped and resumed: between two rows of `times.jsonl` more time passed by the wall clock (`at`) than was spent on the
 * run (`seconds`).
 */
export function interruptionsIn(at: Curve | undefined, seconds: Curve | undefined): Interruption[] {
  if (!at || !seconds) return [];
  const found: Interruption[] = [];
  const rows = Math.min(at.y.length, seconds.y.length);
  for (let i = 1; i < rows; i++) {
    const [now, spent] = [at, seconds].map(({ y }) => y.data[i] - y.data[i - 1]);
    if (now - spent > least) found.push({ x: at.x.data[i - 1], seconds: now - spent });
  }
  return found;
}
