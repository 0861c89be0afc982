import type { RewardScorer } from "../rewards/reward-scorer.ts";

/** A reward model that is served. */
export interface ServedScorer {
  /** Name of the model for clients. */
  readonly model: string;
  readonly scorer: RewardScorer;
}
