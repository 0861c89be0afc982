import { inGroups, type JudgedEpisode, type Selection, scoreOf } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import { restoredEpisodes, savedEpisodes } from "./kept.ts";

/** Settings of {@link queued}. */
export interface QueuedOptions {
  /** Groups of the queue that join an update. */
  readonly groups: number;
  /** Groups that wait at most; the oldest make room (default 64). */
  readonly capacity?: number;
  /** From which score on an episode is a success (default 1). */
  readonly least?: number;
}

/**
 * A queue of good groups (Zhang et al., 2025): groups that tell something and have a success are learned from once more in a later update, beside the fresh ones. So there
 * are fewer to play. What they were likely when they were made is recorded, so ratios correct for their age.
 */
export function queued({ groups, capacity = 64, least = 1 }: QueuedOptions): Selection {
  let queue: JudgedEpisode[][] = [];
  return {
    choose(judged) {
      const again = queue.splice(0, groups).flat();
      const good = inGroups(judged).filter(
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

/** A group of its own: it is not compared with fresh plays of the same name. */
const renamed = (j: JudgedEpisode): JudgedEpisode => ({
  ...j,
  episode: { ...j.episode, group: `${j.episode.group} again` },
});
