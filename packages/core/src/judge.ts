import type { Episode } from "./episode.ts";
import { fail } from "./errors.ts";
import type { Statistics } from "./statistics.ts";

/** A judge's result for one episode. */
export interface Verdict {
  /** Reward of the whole episode: a number, or one per component. */
  readonly reward: number | readonly number[];
  /** Rewards of single steps, if the judge can assign them; replaces `reward`. */
  readonly steps?: ArrayLike<number>;
  /** Task score before penalties and format rewards (default: the reward). */
  readonly score?: number;
  /** Whether the answer has the required format. */
  readonly wellFormed?: boolean;
  /** The components of the reward, by name; logged, so that one sees which of them is learned. */
  readonly terms?: { readonly [name: string]: number };
  /** The final answer in the text, in one spelling: majority voting counts equal ones together (default: the text). */
  readonly answer?: string;
  /** Why judging failed. */
  readonly failed?: string;
  /** Baseline of the reward, if a selection knows more samples than it passes on. */
  readonly baseline?: number;
  /** Reasons, for people. */
  readonly info?: { readonly [name: string]: unknown };
}

/** What a judge can use besides the episodes and their links. */
export interface JudgeContext {
  readonly statistics: Statistics;
}

/** Rewards a batch of episodes. It sees all of them, so it can compare them and reward one by another's result. */
export type Judge = (
  episodes: readonly Episode[],
  court: JudgeContext,
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

/** The reward as one number: components are summed. */
export const totalOf = ({ reward }: Verdict): number =>
  typeof reward === "number" ? reward : reward.reduce((a, b) => a + b, 0);

/** Calls a judge; throws unless it returns one verdict per episode. */
export async function callJudge(
  judge: Judge,
  episodes: readonly Episode[],
  court: JudgeContext,
): Promise<readonly Verdict[]> {
  return requireVerdicts("judge", await judge(episodes, court), episodes);
}

/** The verdicts, or an error if their number differs from that of the episodes. */
export function requireVerdicts(
  name: string,
  verdicts: readonly Verdict[],
  episodes: readonly Episode[],
): readonly Verdict[] {
  if (verdicts.length !== episodes.length)
    fail(
      name,
      `the judge returned ${verdicts.length} verdicts for ${episodes.length} episodes. Return one per episode.`,
    );
  return verdicts;
}

/** The first reason as a sentence, if every verdict failed: then nothing is known about the episodes. */
export function allFailed(verdicts: readonly Verdict[]): string | undefined {
  const known = verdicts.some((v) => v.failed === undefined);
  return known ? undefined : verdicts[0]?.failed?.replace(/[.!?]?$/, ".");
}
