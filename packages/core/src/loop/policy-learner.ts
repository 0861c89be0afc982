import type { Tree } from "@reins/tensor";
import type { Learned, Learner } from "../learner.ts";
import type { Policy } from "../policy.ts";
import { type Learning, learnFrom } from "./learn-from.ts";

/** A policy and how it learns, as one pure Learner. */
export function policyLearner<W extends Tree>(
  policy: Policy<W, never> | Policy<W>,
  learning: Learning,
): Learner<Learned<W>> {
  return {
    init(key) {
      const weights = policy.init(key);
      return { weights, optimiser: learning.optimiser.init(weights) };
    },
    update: (learned, columns, { key }) =>
      learnFrom(learning, policy as Policy, learned, columns, {}, key) as never,
    acting: (learned) => learned.weights,
  };
}
