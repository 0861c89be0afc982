import { groupRelative } from "./group.ts";

/**
 * The advantage over the leave-one-out mean of the group (RLOO; Ahmadian et al., 2024): the baseline does not depend on
 * the episode, so the gradient is unbiased. One number per episode.
 *
 * @experimental
 */
export function leaveOneOut(rewards: ArrayLike<number>, groups: readonly number[]): Float32Array {
  return groupRelative(rewards, groups, { scale: "none", baseline: "others" });
}
