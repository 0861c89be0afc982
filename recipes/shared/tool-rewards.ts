import type { Stage } from "@reins/core";
import { type RewardedConversation, withRewards } from "@reins/recipes/conversations";
import type { ToolQuestion } from "./tool-teacher.ts";

/** The outcome of a question with tools, for rewards. */
export interface ToolOutcome {
  readonly right: boolean;
  /** Whether the answer is a name. */
  readonly wellFormed: boolean;
  /** Whether the conversation ended with an answer, within its turns. */
  readonly finished: boolean;
  /** The calls that lead to the answer, in order. */
  readonly way: readonly string[];
  /** Whether the answer can be memorised, so that no call is needed. */
  readonly known: boolean;
  /** Number of calls of the way that were made in order. */
  readonly done: number;
  /** All calls in order, with their results; null for a failed call. */
  readonly made: ToolQuestion["made"];
}

/** Names of the calls that returned an entry. */
export const carriedOut = ({ made }: Pick<ToolOutcome, "made">): readonly string[] =>
  made.filter((m) => m.result !== null).map((m) => m.call);

function outcomeOf({ result, verdict }: RewardedConversation): ToolOutcome {
  const { way, known, done, made } = result.state as ToolQuestion;
  return {
    right: verdict.score === 1,
    wellFormed: verdict.wellFormed ?? false,
    finished: result.ended === "end",
    way,
    known,
    done,
    made,
  };
}

/** Replaces the reward of questions with tools, for all samples of a problem together. */
export const groupedToolReward = (
  rewards: (group: readonly ToolOutcome[]) => readonly number[],
): { change: (stage: Stage) => Stage } => ({ change: withRewards((group) => rewards(group.map(outcomeOf))) });

/** Replaces the reward of questions with tools. */
export const toolReward = (reward: (outcome: ToolOutcome) => number): { change: (stage: Stage) => Stage } =>
  groupedToolReward((group) => group.map(reward));
