import { fail } from "../errors.ts";
import type { JudgedEpisode } from "../selection.ts";

/**
 * How much better an episode did than the `baseline` that a selection noted in its verdict: for instance the mean of all plays of a
 * problem where only some are learned from. One number an episode.
 */
export function againstBaseline(judged: readonly JudgedEpisode[]): Float32Array {
  return Float32Array.from(judged, ({ reward, verdict }) => {
    const { baseline } = verdict;
    if (baseline === undefined)
      fail("againstBaseline", "an episode's verdict has no baseline. Use a selection that notes one.");
    return reward - baseline;
  });
}
