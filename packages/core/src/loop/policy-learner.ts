import type { Learner, TrainState } from "../learner.ts";
import type { ScoringPolicy } from "../policy.ts";
import { type Learning, learnFrom } from "./learn-from.ts";

/** A policy and how it learns, as one pure Learner. */
export function policyLearner(policy: ScoringPolicy, learning: Learning): Learner<TrainState> {
  return {
    reads: ["observation", "action"],
    init(key) {
      const weights = policy.init(key);
      return { weights, optimiser: learning.optimiser.init(weights) };
    },
    update: (learned, columns, { key }) => learnFrom(learning, { policy, learned, columns, key }),
    acting: (learned) => learned.weights,
  };
}
