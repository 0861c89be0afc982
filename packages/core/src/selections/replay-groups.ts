import { groupEpisodes, type JudgedEpisode, type Selection, scoreOf } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import { restoredEpisodes, savedEpisodes } from "./episode-snapshots.ts";

/** Settings of {@link replayGroups}. */
export interface ReplayGroupsOptions {
  /** Groups from the queue per update. */
  readonly groups: number;
  /** Maximum queue length in groups; the oldest are dropped (default 64). */
  readonly capacity?: number;
  /** Score from which an episode is a success (default 1). */
  readonly least?: number;
}

/**
 * A queue of good groups (Zhang et al., 2025): groups with a learning signal and a success are trained on once more in a later update, together with new ones, so that
 * fewer have to be sampled. Their log-probabilities are recorded, so importance ratios correct for their staleness.
 */
export function replayGroups({ groups, capacity = 64, least = 1 }: ReplayGroupsOptions): Selection {
  let queue: JudgedEpisode[][] = [];
  return {
    select(judged) {
      const again = queue.splice(0, groups).flat();
      const good = groupEpisodes(judged).filter(
        (g) => g.some((j) => j.reward !== g[0].reward) && g.some((j) => scoreOf(j) >= least),
      );
      queue = [...queue, ...good].slice(-capacity);
      return [...judged, ...again.map(renamed)];
    },
    save: (): Snapshot => savedEpisodes(queue.flatMap((g, i) => g.map((j) => [`${i}`, j] as const))),
    restore(from) {
      queue = [];
      for (const [place, judged] of restoredEpisodes(from)) (queue[Number(place)] ??= []).push(judged);
    },
  };
}

/** Renames the group, so that it is not compared with new samples of the same name. */
const renamed = (j: JudgedEpisode): JudgedEpisode => ({
  ...j,
  episode: { ...j.episode, group: `${j.episode.group} again` },
});
