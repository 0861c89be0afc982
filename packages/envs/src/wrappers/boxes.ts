import { type Box, type EnvSpec, fail } from "@reins/core";
import { showSpace } from "@reins/core/spaces";

/** The observation space, which must be a box. */
export function boxObservation(what: string, { id, observation }: EnvSpec): Box {
  if (observation.kind === "box") return observation;
  return fail(
    what,
    `${id} observes ${showSpace(observation)}, but this wrapper needs a box. Apply flattenObservation() first.`,
  );
}

/** The action space, which must be a box. */
export function boxAction(what: string, { id, action }: EnvSpec): Box {
  if (action.kind === "box") return action;
  return fail(what, `${id} takes ${showSpace(action)}, but this wrapper needs box actions.`);
}

/** Numbers in a value of a box. */
export function sizeOf({ shape }: Box): number {
  return shape.reduce((a, b) => a * b, 1);
}

/** A bound for each element. */
export function boundsOf(space: Box): { low: Float64Array; high: Float64Array } {
  const size = sizeOf(space);
  const all = (bound: number | readonly number[]) =>
    Float64Array.from({ length: size }, (_, i) => (typeof bound === "number" ? bound : bound[i]));
  return { low: all(space.low), high: all(space.high) };
}

/** Fails for an element without two finite bounds. */
export function requireFinite(what: string, id: string, name: string, space: Box): void {
  const { low, high } = boundsOf(space);
  const i = low.findIndex((l, k) => !Number.isFinite(l) || !Number.isFinite(high[k]));
  if (i >= 0)
    fail(
      what,
      `element ${i} of the ${name} of ${id} is between ${low[i]} and ${high[i]}; both bounds must be finite.`,
    );
}
