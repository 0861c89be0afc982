import type { Tensor } from "@reins/tensor";
import type { Batch } from "./batch.ts";
import type { JudgedEpisode } from "./selection.ts";

/**
 * Computes what an update learns towards: advantages, returns, TD targets. Pure and traced: it is part of the compiled
 * update. It reads the columns it names and returns new ones (`advantage`, `return`, …).
 */
export type Target<C = Fragment, N extends string = string> = (columns: C) => {
  readonly [name in N]: Tensor;
};

/** A target for judged episodes, on the host: advantages and other inputs of the loss, one number per step. */
export type EpisodeTarget = (
  batch: Batch,
  rewards: Float64Array,
  judged: readonly JudgedEpisode[],
) => { readonly [column: string]: ArrayLike<number> };

/** The columns of a fragment of experience, [time, rows], with values. */
export type Fragment = {
  readonly reward: Tensor;
  /** Value of the state in which each step began. */
  readonly value: Tensor;
  /** Value of the state that each step led to; ignored at a termination. */
  readonly nextValue: Tensor;
  /** bool: the episode terminated with this step. */
  readonly terminated: Tensor;
  /** bool: the episode ended with this step, terminated or truncated. */
  readonly done: Tensor;
  /** bool: the agent acted. False while it waits for its turn or is absent (default: always true). */
  readonly alive?: Tensor;
};
