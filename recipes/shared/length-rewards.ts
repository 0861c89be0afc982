import type { EnvContext, Judge, Stage, Verdict } from "@reins/core";
import { groupEpisodes, ownSteps } from "@reins/core/episodes";
import { callJudge, totalOf } from "@reins/core/judges";
import { answerOf } from "@reins/language";

/** A judged answer, for rewards that depend on its length. */
export interface Answer {
  readonly right: boolean;
  /** Number of tokens. */
  readonly length: number;
  /** Whether the answer was cut off at the length limit. */
  readonly truncated: boolean;
  readonly text: string;
  /** The context of its problem: the level, or what a method has set. */
  readonly context?: EnvContext;
}

/** Rewards of all answers of a batch, which comes in groups of answers to the same problem. */
export type LengthReward = (groups: readonly (readonly Answer[])[]) => readonly (readonly number[])[];

/** A judge whose rewards also depend on length. The task score remains that of the inner judge. */
export const byLength =
  (inner: Judge, rewardsOf: LengthReward): Judge =>
  async (episodes, context) => {
    const verdicts = await callJudge(inner, episodes, context);
    const judged = episodes.map((episode, i) => ({ episode, i, right: totalOf(verdicts[i]) >= 1 }));
    const groups = groupEpisodes(judged);
    const rewards = rewardsOf(
      groups.map((group) =>
        group.map(({ episode, right }) => ({
          right,
          length: ownSteps(episode),
          truncated: episode.truncated,
          text: answerOf(episode).text,
          context: episode.context,
        })),
      ),
    );
    const out: Verdict[] = [...verdicts];
    for (const [g, group] of groups.entries())
      for (const [k, { i }] of group.entries())
        out[i] = { ...verdicts[i], score: totalOf(verdicts[i]), reward: rewards[g][k] };
    return out;
  };

/** Replaces the reward of a stage. The reward function is made anew for each run, so it may have a state. */
export const lengthReward =
  (make: () => LengthReward) =>
  (stage: Stage): Stage => ({ ...stage, judge: byLength(stage.judge, make()) });

/** The share of correct answers of a group. */
export const solveRate = (group: readonly Answer[]): number =>
  group.filter((a) => a.right).length / group.length;
