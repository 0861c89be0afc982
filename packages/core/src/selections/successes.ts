import type { Episode } from "../episode.ts";
import { groupEpisodes, type JudgedEpisode, type Selection, scoreOf } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import { restoredEpisodes, savedEpisodes } from "./episode-snapshots.ts";

/** Settings of {@link replaySuccesses}. */
export interface ReplaySuccessesOptions {
  /** Reward from which an episode is a success (default 1). */
  readonly least?: number;
  /** Maximum number of stored successes, one per problem; the oldest are dropped (default 1024). */
  readonly capacity?: number;
}

/**
 * Replays successes: the latest success at each problem is stored, and joins the problem's next group if that has none. Its
 * log-probabilities are recorded, so importance ratios correct for its staleness. Problems are identified by the episode's `problem`.
 */
export function replaySuccesses(
  problem: (episode: Episode) => string,
  { least = 1, capacity = 1024 }: ReplaySuccessesOptions = {},
): Selection {
  const kept = new Map<string, JudgedEpisode>();
  const keep = (key: string, judged: JudgedEpisode) => {
    kept.delete(key);
    kept.set(key, judged);
    if (kept.size > capacity) kept.delete(kept.keys().next().value!);
  };
  return {
    select(judged) {
      const out = groupEpisodes(judged).flatMap((group) => {
        const key = problem(group[0].episode);
        const old = kept.get(key);
        if (!old || group.some((j) => scoreOf(j) >= least)) return group;
        return [...group, { ...old, episode: { ...old.episode, group: group[0].episode.group } }];
      });
      for (const j of judged) if (scoreOf(j) >= least) keep(problem(j.episode), j);
      return out;
    },
    save: (): Snapshot => savedEpisodes(kept),
    restore(from) {
      kept.clear();
      for (const [key, judged] of restoredEpisodes(from)) kept.set(key, judged);
    },
  };
}
