import type { Batch } from "./batch.ts";
import type { Episode } from "./episode.ts";
import type { Saved } from "./snapshot.ts";

/**
 * Plays weights on environments. A rollout of steps fills a grid and stops in the middle of episodes (`stepRollout`); a rollout of
 * episodes plays problems to their end (`episodeRollout`). What they own (environments, memory, random numbers) is saved with the run.
 */
export interface Rollout<R extends Batch | readonly Episode[] = Batch> extends Saved {
  next(): R;
}
