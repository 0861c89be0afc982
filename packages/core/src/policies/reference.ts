import { stopGradient, type Tree } from "@reins/tensor";
import type { ScoringPolicy } from "../policy.ts";

/**
 * A policy that also returns the log-probabilities of its actions under other weights, as `extra.reference`, for the KL divergence from a
 * frozen reference. The weights are requested when the update is traced, and read in place at every call.
 */
export function withReference<W extends Tree, S extends Tree, P extends ScoringPolicy<W, S>>(
  policy: P & ScoringPolicy<W, S>,
  reference: () => W,
): P {
  return {
    ...policy,
    score(weights: W, moment: Parameters<ScoringPolicy<W, S>["score"]>[1]) {
      const scored = policy.score(weights, moment);
      // The reference is not trained, so it is not random.
      const { key: _, ...still } = moment;
      const { logProb } = policy.score(reference(), still);
      return { ...scored, extra: { ...scored.extra, reference: stopGradient(logProb) } };
    },
  };
}
