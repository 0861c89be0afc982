import { fail } from "@reins/core";

let engine: object | undefined;

/**
 * Gives the worlds of Box2D their engine, where it cannot be found by its name: in browsers and in bundles.
 *
 *     import * as planck from "planck";
 *     usePlanck(planck);
 *
 * Such an engine has the sines of the browser, which may differ in the last bit: worlds are then the same on machines of one kind only.
 */
export function usePlanck(planck: object): void {
  if (!("World" in planck)) fail("usePlanck", 'it takes what `import * as planck from "planck"` gives.');
  engine = planck;
}

// Apart from what knows planck's types: who does without planck has no types of it either.
/** What was given. */
export const givenPlanck = (): object | undefined => engine;
