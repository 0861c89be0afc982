import type { Episode } from "../episode.ts";
import { fail } from "../errors.ts";
import { callJudge, type Judge, totalOf } from "../judge.ts";
import { groupEpisodes } from "../selection.ts";

/** The probability that the first of two episodes of a group is preferred to the second. */
export type Preference = (one: Episode, other: Episode) => number | Promise<number>;

/** Settings of {@link winRate}. */
export interface WinRateOptions {
  /** The episodes that others are compared with (default: all of their group). */
  readonly opponents?: (episode: Episode) => boolean;
}

/**
 * Replaces rewards by win rates: the mean probability that an episode is preferred to the others of its group. Without a preference,
 * the one with the higher reward wins, and equal ones win half of the time. The reward of the inner judge stays the score.
 */
export function winRate(
  inner: Judge,
  prefer?: Preference,
  { opponents = () => true }: WinRateOptions = {},
): Judge {
  return async (episodes, court) => {
    const verdicts = await callJudge(inner, episodes, court);
    const rewards = verdicts.map(totalOf);
    const rates = new Float64Array(episodes.length).fill(0.5);
    const wins = async (i: number, j: number) =>
      prefer
        ? checkedProbability(await prefer(episodes[i], episodes[j]))
        : (1 + Math.sign(rewards[i] - rewards[j])) / 2;
    for (const group of groupEpisodes(episodes.map((episode, i) => ({ episode, i })))) {
      const { length } = group;
      const [sums, counts] = [new Float64Array(length), new Float64Array(length)];
      const opposes = group.map(({ episode }) => opponents(episode));
      for (let a = 0; a < length; a++)
        for (let b = a + 1; b < length; b++) {
          if (!opposes[a] && !opposes[b]) continue;
          const p = await wins(group[a].i, group[b].i);
          if (opposes[b]) sums[a] += p;
          if (opposes[a]) sums[b] += 1 - p;
          counts[a] += Number(opposes[b]);
          counts[b] += Number(opposes[a]);
        }
      group.forEach(({ i }, a) => {
        if (counts[a] > 0) rates[i] = sums[a] / counts[a];
      });
    }
    return verdicts.map((v, i) => ({ ...v, score: v.score ?? rewards[i], reward: rates[i] }));
  };
}

function checkedProbability(p: number): number {
  if (p >= 0 && p <= 1) return p;
  return fail("prefer", `returned ${p}. Return a probability: a number from 0 to 1.`);
}
