import type { Tensor, Tree } from "@reins/tensor";
import type { Batch } from "./batch.ts";
import type { Episode } from "./episode.ts";
import type { ActingPolicy, ScoringPolicy } from "./policy.ts";
import type { Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";
import type { Task } from "./task.ts";

/**
 * Runs a policy in environments. A step rollout fills a grid and stops in the middle of episodes (`stepRollout`); an episode
 * rollout plays problems to the end (`episodeRollout`). Its state (environments, memory, random numbers) is saved with the run.
 */
export interface Rollout<R extends Batch | readonly Episode[] = Batch> extends Saved {
  /** The next batch; a promise if an environment is asynchronous. */
  next(): R | Promise<R>;
}

/** An episode rollout that counts its steps, and may measure what it does. */
export type EpisodeSource = Rollout<readonly Episode[]> & {
  readonly steps: number;
  metrics?(): { readonly [name: string]: number };
};

/** What plays a task's problems, and with which weights. */
export interface RolloutInput<P extends ActingPolicy | ScoringPolicy = ScoringPolicy> {
  readonly policy: P;
  readonly weights: Tree;
  readonly task: Task;
  readonly statistics: Statistics;
  readonly key: Tensor;
  /** Version of the weights, for the record. */
  readonly version?: () => number;
  /** Weights of the frozen reference policy, if the algorithm declares one. They are taken before the first rollout. */
  readonly reference?: Tree;
}
