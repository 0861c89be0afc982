import type { Tensor, Tree } from "@reins/tensor";
import type { Batch } from "./batch.ts";
import type { Episode } from "./episode.ts";
import type { Acting, Scoring } from "./policy.ts";
import type { Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";
import type { Task } from "./task.ts";

/**
 * Plays weights on environments. A rollout of steps fills a grid and stops in the middle of episodes (`stepRollout`); a rollout of
 * episodes plays problems to their end (`episodeRollout`). What they own (environments, memory, random numbers) is saved with the run.
 */
export interface Rollout<R extends Batch | readonly Episode[] = Batch> extends Saved {
  /** The next batch; a promise where it takes a while, as when an environment answers over a network. */
  next(): R | Promise<R>;
}

/** A rollout that counts its steps. */
export type EpisodeSource = Rollout<readonly Episode[]> & { readonly steps: number };

/** What plays a task's problems, and with what. */
export interface Playing<P extends Acting | Scoring = Scoring> {
  readonly policy: P;
  readonly weights: Tree;
  readonly task: Task;
  readonly statistics: Statistics;
  readonly key: Tensor;
  /** Version of the weights, for the record. */
  readonly version?: () => number;
}
