import { fail } from "@reins/core";

let engine: object | undefined;

/**
 * Sets the Box2D engine where it cannot be loaded by name: in browsers and in bundles.
 *
 * import * as planck from "planck";
 * usePlanck(planck);
 *
 * Such an engine uses the browser's sines, which may differ in the last bit: episodes are then reproducible on one
 * kind of machine only.
 */
export function usePlanck(planck: object): void {
  if (!("World" in planck))
    fail("usePlanck", 'pass the module: import * as planck from "planck"; usePlanck(planck).');
  engine = planck;
}

// Separate from the module with planck's types: programs without planck do not have its types either.
/** The engine that was set. */
export const givenPlanck = (): object | undefined => engine;
