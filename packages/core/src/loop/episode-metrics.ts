import { meanOf } from "../evaluations/mean.ts";
import type { JudgedEpisode } from "../selection.ts";
import { groupEpisodes, scoreOf } from "../selection.ts";

/**
 * Metrics of a batch of the policy's own samples besides their mean reward: the spread of rewards, each reward term by name, groups
 * without a learning signal (all rewards equal), truncated samples and samples in the wrong format.
 */
export function measuresOf(own: readonly JudgedEpisode[]): { readonly [name: string]: number } {
  if (own.length === 0) return {};
  const mean = averageOf(own.map((j) => j.reward));
  const compared = groupEpisodes(own).filter((group) => group.length > 1);
  const formed = own.flatMap((j) => j.verdict.wellFormed ?? []);
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

/** Group metrics: samples per problem since the last update, and the number of problems that are trained on. */
export function groupMeasures(
  own: readonly JudgedEpisode[],
  chosen: readonly JudgedEpisode[],
): { readonly [name: string]: number } {
  const played = groupEpisodes(own);
  if (played.every((group) => group.length < 2)) return {};
  return { "batch/samples": own.length / played.length, "batch/groups": groupEpisodes(chosen).length };
}

/** Metric names that a reward term cannot use. */
const reserved = new Set(["mean", "std", "flat"]);

const isFlat = (group: readonly JudgedEpisode[]) => group.every((j) => j.reward === group[0].reward);

const averageOf = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;

const shareOf = <T>(all: readonly T[], is: (one: T) => boolean) => all.filter(is).length / all.length;
