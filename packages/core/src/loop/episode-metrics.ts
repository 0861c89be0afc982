import { meanOf } from "../evaluations/mean.ts";
import type { JudgedEpisode } from "../selection.ts";
import { inGroups, scoreOf } from "../selection.ts";

/**
 * What a batch of the policy's own plays says beside their mean reward: how far rewards lie apart, each term of them by name, groups
 * that teach nothing since all of their plays earned the same, and plays that were cut off or had not the form that was asked for.
 */
export function measuresOf(own: readonly JudgedEpisode[]): { readonly [name: string]: number } {
  if (own.length === 0) return {};
  const mean = averageOf(own.map((j) => j.reward));
  const compared = inGroups(own).filter((group) => group.length > 1);
  const formed = own.flatMap((j) => j.verdict.formed ?? []);
  const terms = [...new Set(own.flatMap((j) => Object.keys(j.verdict.terms ?? {})))];
  return {
    "reward/std": Math.sqrt(averageOf(own.map((j) => (j.reward - mean) ** 2))),
    ...Object.fromEntries(
      terms.map((name) => [
        `reward/${reserved.has(name) ? `${name}-term` : name}`,
        averageOf(own.map((j) => j.verdict.terms?.[name] ?? 0)),
      ]),
    ),
    ...(own.some((j) => j.verdict.score !== undefined) ? { "score/mean": meanOf(own.map(scoreOf)) } : {}),
    ...(compared.length ? { "reward/flat": shareOf(compared, isFlat) } : {}),
    "length/truncated": shareOf(own, (j) => j.episode.truncated && !j.episode.terminated),
    ...(formed.length ? { "judge/malformed": shareOf(formed, (is) => !is) } : {}),
  };
}

/** What of the groups: how often a problem was played since the last update, and of how many problems something is learned from. */
export function groupMeasures(
  own: readonly JudgedEpisode[],
  chosen: readonly JudgedEpisode[],
): { readonly [name: string]: number } {
  const played = inGroups(own);
  if (played.every((group) => group.length < 2)) return {};
  return { "batch/plays": own.length / played.length, "batch/groups": inGroups(chosen).length };
}

/** Names that a term of a reward cannot take from what is measured of the whole. */
const reserved = new Set(["mean", "std", "flat"]);

const isFlat = (group: readonly JudgedEpisode[]) => group.every((j) => j.reward === group[0].reward);

const averageOf = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;

const shareOf = <T>(all: readonly T[], is: (one: T) => boolean) => all.filter(is).length / all.length;
