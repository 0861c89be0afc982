import type { Episode } from "./episode.ts";
import { fail } from "./errors.ts";
import type { Statistics } from "./statistics.ts";

/** What a judge thinks of one episode. */
export interface Verdict {
  /** The reward of the whole: a number, or one for each component. */
  readonly reward: number | readonly number[];
  /** The same placed on steps, where the judge knows which ones earned it; it replaces `reward` there. */
  readonly steps?: ArrayLike<number>;
  /** How well the task was done, before prices and pay; the reward, where it is not said. */
  readonly score?: number;
  /** Whether the answer has the form that was asked for. */
  readonly formed?: boolean;
  /** What the reward is made of, by name: logged, so that one sees which part is learned. */
  readonly terms?: { readonly [name: string]: number };
  /** Why there is no verdict. */
  readonly failed?: string;
  /** What the reward is compared with, where a selection knows more plays than it passes on. */
  readonly baseline?: number;
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

/** What a judge says of episodes: one verdict for each, or an error. */
export async function consult(
  judge: Judge,
  episodes: readonly Episode[],
  court: Court,
): Promise<readonly Verdict[]> {
  return counted("judge", await judge(episodes, court), episodes);
}

/** Verdicts, unless they are more or fewer than the episodes. */
export function counted(
  name: string,
  verdicts: readonly Verdict[],
  episodes: readonly Episode[],
): readonly Verdict[] {
  if (verdicts.length !== episodes.length)
    fail(name, `the judge gave ${verdicts.length} verdicts for ${episodes.length} episodes.`);
  return verdicts;
}

/** The first reason, as a sentence, if every one of these verdicts failed: then nothing is known of the episodes. */
export function allFailed(verdicts: readonly Verdict[]): string | undefined {
  const known = verdicts.some((v) => v.failed === undefined);
  return known ? undefined : verdicts[0]?.failed?.replace(/[.!?]?$/, ".");
}
