import { stopGradient, type Tree } from "@reins/tensor";
import type { Scoring } from "../policy.ts";

/**
 * A policy that also says what another set of weights thinks of its actions, as `extra.reference`: what a divergence from a frozen
 * reference is computed from. The weights are asked for when the update is traced, and read where they are at every call.
 */
export function withReference<W extends Tree, S extends Tree, P extends Scoring<W, S>>(
  policy: P & Scoring<W, S>,
  reference: () => W,
): P {
  return {
    ...policy,
    score(weights: W, moment: Parameters<Scoring<W, S>["score"]>[1]) {
      const scored = policy.score(weights, moment);
      // What nobody learns is not random.
      const { key: _, ...still } = moment;
      const { logProb } = policy.score(reference(), still);
      return { ...scored, extra: { ...scored.extra, reference: stopGradient(logProb) } };
    },
  };
}
