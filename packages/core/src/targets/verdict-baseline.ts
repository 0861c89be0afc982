import { fail } from "../errors.ts";
import type { JudgedEpisode } from "../selection.ts";

/**
 * The advantage over the `baseline` that a selection has set in the verdict, such as the mean of all samples of a
 * problem if only some are trained on. One number per episode.
 */
export function verdictBaseline(judged: readonly JudgedEpisode[]): Float32Array {
  return Float32Array.from(judged, ({ reward, verdict }) => {
    const { baseline } = verdict;
    if (baseline === undefined)
      fail("verdictBaseline", "an episode's verdict has no baseline. Use a selection that sets one.");
    return reward - baseline;
  });
}
