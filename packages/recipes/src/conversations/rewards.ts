import type { Stage, Verdict } from "@reins/core";
import { lastOwnStep, stepsOf } from "@reins/core/episodes";
import * as judges from "@reins/core/judges";
import { type ConversationResult, conversationResult } from "@reins/language";
import type { Tensor } from "@reins/tensor";

/** A conversation and its verdict. */
export interface RewardedConversation {
  readonly result: ConversationResult;
  readonly verdict: Verdict;
  /** Number of calls. */
  readonly calls: number;
  /** Number of failed calls. */
  readonly failed: number;
}

/** Replaces the rewards of conversations; it sees all samples of a problem together. Evaluation is unchanged. */
export const withRewards =
  (rewards: (group: readonly RewardedConversation[]) => readonly number[]) =>
  (stage: Stage): Stage => ({
    ...stage,
    judge: judges.grouped(async (episodes, court) => {
      const verdicts = await judges.callJudge(stage.judge, episodes, court);
      const all = rewards(episodes.map((e, i) => seen(conversationResult(e), verdicts[i])));
      return verdicts.map((verdict, i) => ({ ...verdict, reward: all[i] }));
    }),
  });

/** Adds turn rewards at the last token of each turn; the score stays at the end. */
export const withTurnRewards =
  (rewards: (conversation: RewardedConversation) => readonly number[]) =>
  (stage: Stage): Stage => ({
    ...stage,
    async judge(episodes, court) {
      const verdicts = await judges.callJudge(stage.judge, episodes, court);
      return verdicts.map((verdict, i) => {
        const steps = new Float32Array(stepsOf(episodes[i]));
        const { data } = episodes[i].columns.turn as Tensor;
        rewards(seen(conversationResult(episodes[i]), verdict)).forEach((reward, turn) => {
          const last = data.lastIndexOf(turn + 1);
          if (last >= 0) steps[last] += reward;
        });
        steps[lastOwnStep(episodes[i])] += judges.totalOf(verdict);
        return { ...verdict, reward: steps.reduce((sum, r) => sum + r, 0), steps };
      });
    },
  });

function seen(result: ConversationResult, verdict: Verdict): RewardedConversation {
  const calls = Object.values(result.calls).reduce((sum, n) => sum + n, 0);
  return { result, verdict, calls, failed: calls - (result.calls.ok ?? 0) };
}
