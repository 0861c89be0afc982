import { stopGradient, type Tree } from "@reins/tensor";
import type { Policy } from "../policy.ts";

/**
 * A policy that also says what another set of weights thinks of its actions, as `extra.reference`: what a divergence from a frozen
 * reference is computed from. The weights are asked for when the update is traced, and read where they are at every call.
 */
export function against<W extends Tree, S extends Tree>(
  policy: Policy<W, S>,
  reference: () => W,
): Policy<W, S> {
  return {
    ...policy,
    evaluate:
      policy.evaluate &&
      ((weights, view, action, trace, state) => {
        const judged = policy.evaluate!(weights, view, action, trace, state);
        const { logProb } = policy.evaluate!(reference(), view, action, trace, state);
        return { ...judged, extra: { ...judged.extra, reference: stopGradient(logProb) } };
      }),
  };
}
