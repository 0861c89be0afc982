import type { Learned, Learner } from "../learner.ts";
import type { Scoring } from "../policy.ts";
import { type Learning, learnFrom } from "./learn-from.ts";

/** A policy and how it learns, as one pure Learner. */
export function policyLearner(policy: Scoring, learning: Learning): Learner<Learned> {
  return {
    reads: ["observation", "action"],
    init(key) {
      const weights = policy.init(key);
      return { weights, optimiser: learning.optimiser.init(weights) };
    },
    update: (learned, columns, { key }) => learnFrom(learning, policy, learned, columns, {}, key),
    acting: (learned) => learned.weights,
  };
}
