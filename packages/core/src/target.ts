import type { Tensor } from "@reins/tensor";
import type { Batch } from "./batch.ts";
import type { JudgedEpisode } from "./selection.ts";

/**
 * Turns what was observed into what to learn towards: advantages, returns, bootstrapped values. Pure and traced: it is part of the compiled
 * update. It reads the columns it names and returns new ones (`advantage`, `return`, …).
 */
export type Target<C = Stretch, N extends string = string> = (columns: C) => { readonly [name in N]: Tensor };

/** The same for judged episodes, on the host: advantages and whatever else the loss reads, one number a step. */
export type EpisodeTarget = (
  batch: Batch,
  rewards: Float64Array,
  judged: readonly JudgedEpisode[],
) => { readonly [column: string]: ArrayLike<number> };

/** What a stretch of experience has, as [time, rows] columns, once values are known. */
export type Stretch = {
  readonly reward: Tensor;
  /** Value of the state that each step began in. */
  readonly value: Tensor;
  /** Value of the state that each step led to; what it is at a termination does not matter. */
  readonly nextValue: Tensor;
  /** bool: the problem ended with this step. */
  readonly terminated: Tensor;
  /** bool: the episode ended with this step, for either reason. */
  readonly done: Tensor;
};
