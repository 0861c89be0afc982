import type { VectorEnv } from "@reins/core";
import { NormalisedObservation } from "./normalise-observation.ts";
import { Wrapper } from "./wrapper.ts";

/** The wrapper that normalises observations by running statistics and updates them in every step, if an environment has one. */
export function runningNormaliser(env: VectorEnv): NormalisedObservation | undefined {
  for (let at = env; at instanceof Wrapper; at = at.inner)
    if (at instanceof NormalisedObservation && at.training) return at;
  return undefined;
}
