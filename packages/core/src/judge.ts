import type { Episode } from "./episode.ts";
import type { Statistics } from "./statistics.ts";

/** What a judge thinks of one episode. */
export interface Verdict {
  /** The reward of the whole: a number, or one for each component. */
  readonly reward: number | readonly number[];
  /** The same placed on steps, where the judge knows which ones earned it; it replaces `reward` there. */
  readonly steps?: ArrayLike<number>;
  /** Reasons, for people. */
  readonly info?: { readonly [name: string]: unknown };
}

/** What judging may look at beside the episodes and their links. */
export interface Court {
  readonly statistics: Statistics;
}

/** Rewards a batch of episodes; it sees all of them, so it can compare, and pay one by another's outcome. */
export type Judge = (
  episodes: readonly Episode[],
  court: Court,
) => readonly Verdict[] | Promise<readonly Verdict[]>;

/** The environment's own reward. */
export const environment: Judge = (episodes) => episodes.map((e) => ({ reward: e.return }));

/** A judge that looks at one episode at a time. */
export function each(judge: (episode: Episode) => number | Verdict): Judge {
  return (episodes) =>
    episodes.map((e) => {
      const verdict = judge(e);
      return typeof verdict === "number" ? { reward: verdict } : verdict;
    });
}

/** The reward as one number: components are added up. */
export const totalOf = ({ reward }: Verdict): number =>
  typeof reward === "number" ? reward : reward.reduce((a, b) => a + b, 0);

/** Several judges: a weighted sum of what they say. */
export function sumOf(judges: { readonly [name: string]: { judge: Judge; weight: number } }): Judge {
  const names = Object.keys(judges);
  return async (episodes, court) => {
    const verdicts = await Promise.all(names.map((n) => judges[n].judge(episodes, court)));
    return episodes.map((_, i) => ({
      reward: names.reduce((sum, n, j) => sum + judges[n].weight * totalOf(verdicts[j][i]), 0),
      info: Object.fromEntries(names.map((n, j) => [n, totalOf(verdicts[j][i])])),
    }));
  };
}

/** The second judge counts only where the first one is at least `threshold`: cheap points cannot be farmed while the task fails. */
export function gate(first: Judge, threshold: number, second: Judge): Judge {
  return async (episodes, court) => {
    const [a, b] = await Promise.all([first(episodes, court), second(episodes, court)]);
    return a.map((v, i) => ({
      reward: totalOf(v) + (totalOf(v) >= threshold ? totalOf(b[i]) : 0),
      info: v.info,
    }));
  };
}

/** Lets a judge compare the episodes of each group with one another. */
export function grouped(judge: Judge): Judge {
  return async (episodes, court) => {
    const groups = new Map<string, number[]>();
    episodes.forEach((e, i) => {
      const key = e.group ?? `#${i}`;
      groups.set(key, [...(groups.get(key) ?? []), i]);
    });
    const verdicts: Verdict[] = [];
    for (const members of groups.values()) {
      const judged = await judge(
        members.map((i) => episodes[i]),
        court,
      );
      members.forEach((i, j) => (verdicts[i] = judged[j]));
    }
    return verdicts;
  };
}
