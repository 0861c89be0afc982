import type { Episode } from "./episode.ts";
import type { Verdict } from "./judge.ts";
import type { Saved } from "./snapshot.ts";

/** An episode with its verdict. */
export interface JudgedEpisode {
  readonly episode: Episode;
  readonly verdict: Verdict;
  /** The verdict as one number. */
  readonly reward: number;
}

/** Task score of a sample before length penalties and format rewards; decides what counts as a success. */
export const scoreOf = ({ verdict, reward }: JudgedEpisode): number => verdict.score ?? reward;

/** Chooses which judged episodes are trained on: drops some, adds older ones, or requests more. */
export interface Selection extends Partial<Saved> {
  /** Chooses from all episodes since the last update. Undefined: sample another batch first. */
  select(judged: readonly JudgedEpisode[]): readonly JudgedEpisode[] | undefined;
}

/** The episodes of each group, in order of the groups' first episodes. */
export function groupEpisodes<J extends { readonly episode: Episode }>(judged: readonly J[]): J[][] {
  const groups = new Map<string, J[]>();
  judged.forEach((j, i) => {
    const key = j.episode.group ?? `#${i}`;
    const own = groups.get(key);
    if (own) own.push(j);
    else groups.set(key, [j]);
  });
  return [...groups.values()];
}
