import { type Episode, fail, type Judge, said, stepsOf, type Verdict } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import type { Family, Verification } from "../tasks/family.ts";
import { allInTime } from "../tools/in-time.ts";
import { reasonOf } from "../tools/reason.ts";
import { own } from "./cast.ts";
import type { ConversationEpisode, Conversed } from "./conversation-episode.ts";

/** Milliseconds without any verdict after which no more are waited for. */
const patience = 10_000;

/** What a conversation came to; another episode is refused. */
export function conversedIn(episode: Episode): Conversed {
  const { answered } = episode as Partial<ConversationEpisode>;
  return answered && "rewards" in answered
    ? answered
    : fail("verifier", "an episode is no conversation: it does not say what was said and paid.");
}

/**
 * Pays the family's score in the end, what the world paid for each turn on the way, and takes the price of calls. A world that broke, a
 * verifier that throws or gives no number pays nothing, and the reason is kept as `failed`.
 */
export function talkVerifier(family: Family): Judge {
  return (episodes) =>
    verdictsInTime(
      episodes.map(async (episode): Promise<Verdict> => {
        const conversed = conversedIn(episode);
        const verdict = await talkVerdict(family, conversed);
        if (verdict.failed !== undefined) return verdict;
        return placed(verdict, counted(family, verdict.score ?? 0, conversed.rewards), episode);
      }),
    );
}

/** Verdicts as they come; those that are missing when none has come for so long have failed. Many may wait for one another in a sandbox. */
export const verdictsInTime = <V extends Verdict>(work: readonly Promise<V>[]): Promise<(V | Failed)[]> =>
  allInTime<V | Failed>(work, patience, { reward: 0, failed: `there was no verdict within ${patience} ms` });

/** A verdict that did not come. */
interface Failed {
  readonly reward: 0;
  readonly failed: string;
  readonly score?: undefined;
}

/** The same of what was said alone, wherever it was. */
export async function talkVerdict(
  family: Family,
  conversed: Conversed,
): Promise<Verdict & { reward: number; score?: number }> {
  const failed = (why: string) => ({ reward: 0, failed: why });
  const { problem, text, messages, state, rewards, price } = conversed;
  if (conversed.failed !== undefined) return failed(conversed.failed);
  try {
    const { role } = conversed;
    const talk = { state: state as never, messages, turns: rewards.length, ...(role ? { role } : {}) };
    const verified = await family.verify(problem, text, talk);
    const { terms, formed, why } = verified;
    const score = scoreFor(verified, conversed.role);
    if (!Number.isFinite(score)) return failed(`the score is ${said(score)}, and it must be a finite number`);
    const turns = counted(family, score, rewards).reduce((sum, r) => sum + r, 0);
    const reward = score + turns - price;
    // Targets are f32, in which a number may be infinite that is not in JavaScript.
    if (!Number.isFinite(Math.fround(reward))) return failed(`the reward is ${said(reward)}`);
    return {
      reward,
      score,
      ...(formed === undefined ? {} : { formed }),
      ...(terms || turns || price
        ? { terms: { ...terms, ...(turns ? { turns } : {}), ...(price ? { price: -price } : {}) } }
        : {}),
      ...(why === undefined ? {} : { info: { why } }),
    };
  } catch (error) {
    return failed(reasonOf(error));
  }
}

/** What a conversation is worth to who had a part in it. */
function scoreFor({ score, scores = {} }: Verification, role = own): number {
  return Object.hasOwn(scores, role) ? scores[role] : score;
}

/** What turns earned, as far as it counts: nothing where the score does not reach the gate. */
const counted = ({ gate }: Family, score: number, rewards: readonly number[]): readonly number[] =>
  gate !== undefined && score < gate ? rewards.map(() => 0) : rewards;

/** The verdict with its rewards on steps: what a turn earned at its last token, the rest at the last of all. */
function placed(
  verdict: Verdict & { reward: number },
  rewards: readonly number[],
  episode: Episode,
): Verdict {
  if (rewards.every((r) => r === 0)) return verdict;
  const steps = new Float32Array(stepsOf(episode));
  const turn = (episode.columns.turn as Tensor).data;
  let rest = verdict.reward;
  rewards.forEach((reward, k) => {
    const at = turn.lastIndexOf(k + 1);
    if (at < 0) return;
    steps[at] += reward;
    rest -= reward;
  });
  steps[Math.max(0, turn.lastIndexOf(rewards.length))] += rest;
  return { ...verdict, steps };
}
