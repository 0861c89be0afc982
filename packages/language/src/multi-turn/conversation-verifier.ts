import { type Episode, fail, type Judge, type Verdict } from "@reins/core";
import { stepsOf } from "@reins/core/episodes";
import { describeValue } from "@reins/core/errors";
import type { Tensor } from "@reins/tensor";
import { episodeOf } from "../tasks/episode.ts";
import type { TextTask, Verification } from "../tasks/text-task.ts";
import { reasonOf } from "../tools/reason.ts";
import { allWithTimeout } from "../tools/timeout.ts";
import type { ConversationEpisode, ConversationResult } from "./conversation-episode.ts";
import { own } from "./speaker.ts";

/** Milliseconds without any verdict after which the missing ones fail. */
const timeout = 10_000;

/** The result of a conversation; throws for other episodes. */
export function conversationResult(episode: Episode): ConversationResult {
  const { answered } = episode as Partial<ConversationEpisode>;
  return answered && "rewards" in answered
    ? answered
    : fail("verifier", "the episode has no conversation. Build it with conversationEpisode().");
}

/**
 * Rewards the final score and each turn's environment reward, and subtracts the costs of calls. A failed environment,
 * a verifier that throws or a score that is not finite gives reward 0, with the reason in `failed`.
 */
export function conversationVerifier(task: TextTask): Judge {
  return (episodes) =>
    verdictsWithTimeout(
      episodes.map(async (episode): Promise<Verdict> => {
        const result = conversationResult(episode);
        const verdict = await conversationVerdict(task, result);
        if (verdict.failed !== undefined) return verdict;
        return placed(verdict, counted(task, verdict.score ?? 0, result.rewards), episode);
      }),
    );
}

/** Verdicts as they arrive; those missing after the timeout fail. Many may queue for the same sandbox. */
export const verdictsWithTimeout = <V extends Verdict>(
  work: readonly Promise<V>[],
): Promise<(V | Failed)[]> =>
  allWithTimeout<V | Failed>(work, timeout, { reward: 0, failed: `no verdict within ${timeout} ms` });

/** A missing verdict. */
interface Failed {
  readonly reward: 0;
  readonly failed: string;
  readonly score?: undefined;
}

/** The verdict of a conversation from its result alone. */
export async function conversationVerdict(
  task: TextTask,
  result: ConversationResult,
): Promise<Verdict & { reward: number; score?: number }> {
  const failed = (why: string) => ({ reward: 0, failed: why });
  const { problem, text, messages, state, rewards, price } = result;
  if (result.failed !== undefined) return failed(result.failed);
  try {
    const { role } = result;
    const talk = { state: state as never, messages, turns: rewards.length, ...(role ? { role } : {}) };
    const verified = await task.verify(problem, text, talk);
    const { terms, wellFormed, answer, why } = verified;
    const score = scoreFor(verified, result.role);
    if (!Number.isFinite(score))
      return failed(`the score is ${describeValue(score)}; it must be a finite number`);
    const turns = counted(task, score, rewards).reduce((sum, r) => sum + r, 0);
    const reward = score + turns - price;
    // Targets are f32: a finite f64 reward may overflow.
    if (!Number.isFinite(Math.fround(reward)))
      return failed(`the reward is ${describeValue(reward)}; it must be finite as f32`);
    return {
      reward,
      score,
      ...(wellFormed === undefined ? {} : { wellFormed }),
      ...(answer === undefined ? {} : { answer }),
      ...(terms || turns || price
        ? { terms: { ...terms, ...(turns ? { turns } : {}), ...(price ? { price: -price } : {}) } }
        : {}),
      ...(why === undefined ? {} : { info: { why } }),
    };
  } catch (error) {
    return failed(reasonOf(error));
  }
}

/** The score of a role. */
function scoreFor({ score, scores = {} }: Verification, role = own): number {
  return Object.hasOwn(scores, role) ? scores[role] : score;
}

/** Turn rewards that count: none where the score is below the gate. */
function counted(task: TextTask, score: number, rewards: readonly number[]): readonly number[] {
  const { gate } = episodeOf(task);
  return gate !== undefined && score < gate ? rewards.map(() => 0) : rewards;
}

/** The verdict with rewards on steps: a turn's reward at its last token, the rest at the last token of all. */
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
