import type { Episode } from "./episode.ts";
import type { Verdict } from "./judge.ts";
import type { Saved } from "./snapshot.ts";

/** An episode with what the judge said. */
export interface JudgedEpisode {
  readonly episode: Episode;
  readonly verdict: Verdict;
  /** The verdict as one number. */
  readonly reward: number;
}

/** How well a play did its task, before prices for length or pay for form: what counts as a success. */
export const scoreOf = ({ verdict, reward }: JudgedEpisode): number => verdict.score ?? reward;

/** Decides what of the judged episodes is learned from: leaves some out, adds older ones, or asks for more. */
export interface Selection extends Partial<Saved> {
  /** What to learn from, of all that was played since the last update. Undefined: play another batch first. */
  choose(judged: readonly JudgedEpisode[]): readonly JudgedEpisode[] | undefined;
}

/** The episodes of each group, in the order in which the groups began. */
export function inGroups<J extends { readonly episode: Episode }>(judged: readonly J[]): J[][] {
  const groups = new Map<string, J[]>();
  judged.forEach((j, i) => {
    const key = j.episode.group ?? `#${i}`;
    const own = groups.get(key);
    if (own) own.push(j);
    else groups.set(key, [j]);
  });
  return [...groups.values()];
}
