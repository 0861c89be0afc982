import type { JudgedEpisode, Task } from "@reins/core";
import { groupEpisodes, scoreOf } from "@reins/core/episodes";
import * as targets from "@reins/core/targets";
import { twoPhases } from "../shared/two-phases.ts";

/**
 * The samples of a group with their advantages as rewards. With `reuse` an earlier success takes the place of the last sample: it is
 * compared with the others and not trained on.
 */
export function compared(group: readonly JudgedEpisode[], reuse: boolean): JudgedEpisode[] {
  const last = group.length - 1;
  const rewards = group.map((j, i) => (reuse && i === last ? 1 : j.reward));
  const advantages = targets.groupRelative(
    rewards,
    group.map(() => 0),
  );
  const judged = group.map((j, i) => ({ ...j, reward: advantages[i] }));
  return reuse ? judged.slice(0, last) : judged;
}

/** Problems without a success in the first stage are sampled again. Those still without one are compared with an earlier success, if there is one. */
export const staged = (reuses: boolean) => (given: Task) => {
  const solved = new Set<string>();
  return twoPhases(given, {
    more: (rate, size) => (rate === 0 ? size : 0),
    choose(judged) {
      const groups = groupEpisodes(judged).map((group) => {
        const name = group[0].episode.problem ?? "";
        const isSolved = group.some((j) => scoreOf(j) >= 1);
        const reuse = reuses && !isSolved && solved.has(name);
        if (isSolved) solved.add(name);
        return compared(group, reuse);
      });
      return groups.flat();
    },
  });
};
