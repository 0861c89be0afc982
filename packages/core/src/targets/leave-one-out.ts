import { groupRelative } from "./group.ts";

/**
 * How much better an episode did than the mean of its group's others (RLOO; Ahmadian et al., 2024): the baseline does not depend on
 * the episode, so the gradient is unbiased. One number an episode.
 */
export function leaveOneOut(rewards: ArrayLike<number>, groups: readonly number[]): Float32Array {
  return groupRelative(rewards, groups, { scale: "none", baseline: "others" });
}
