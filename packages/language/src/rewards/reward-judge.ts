import { fail, type Judge } from "@reins/core";
import { isRewardFolder } from "../models/reward-folder.ts";
import { answerOf } from "../rollouts/text-episode.ts";
import type { AnswerJudge, JudgeResult } from "../tasks/judge.ts";
import type { Problem } from "../tasks/text-task.ts";
import { reasonOf } from "../tools/reason.ts";
import { deviationOf } from "./aggregation.ts";
import {
  loadRewardModel,
  RewardScorer,
  type RewardScorerOptions,
  type RewardText,
  type TextReward,
} from "./reward-scorer.ts";

/** A judge of answers, which `train({ judge })` and `withJudge` take, and as a judge of episodes, for custom loops. */
export type RewardJudge = AnswerJudge & { readonly episodes: Judge };

/**
 * A reward model as a judge: its folder, several folders as an ensemble, or a scorer. It reads prompt and completion as
 * texts, so its tokenizer may differ from the policy's. Answers that are judged at the same time are one batch.
 *
 *     await train({ algorithm: "grpo", env: "prompts.jsonl", envOptions: { folder: "./model" }, judge: judges.rewardModel("./reward-model") });
 */
export function rewardModel(
  from: string | readonly string[] | RewardScorer,
  options: RewardScorerOptions = {},
): RewardJudge {
  if (!(from instanceof RewardScorer))
    for (const folder of [from].flat())
      if (!isRewardFolder(folder))
        fail(
          folder,
          "this is not the folder of a reward model: its config.json names no model for sequence classification. Train one: reins train reward pairs.jsonl --model ./model --save-model ./reward-model.",
        );
  let loaded: Promise<RewardScorer> | undefined;
  const scorer = () =>
    (loaded ??= from instanceof RewardScorer ? Promise.resolve(from) : loadRewardModel(from, options));
  const batched = batches();
  const judge = async (answer: string, problem: Pick<Problem, "prompt" | "messages">) => {
    const model = await scorer();
    return resultOf(await batched(model, model.encode(problem.messages ?? problem.prompt, answer)));
  };
  const episodes: Judge = async (all) => {
    const model = await scorer();
    const texts = all.map((episode) => encoded(model, answerOf(episode)));
    const rewards = model.score(texts.flatMap((text) => ("failed" in text ? [] : [text])));
    let at = 0;
    return texts.map((text) =>
      "failed" in text ? { reward: 0, ...text } : { reward: rewards[at++].reward },
    );
  };
  return Object.assign(judge, { episodes });
}

/** An answer in tokens, or why the model cannot read it. */
function encoded(
  model: RewardScorer,
  { problem, text }: ReturnType<typeof answerOf>,
): RewardText | { readonly failed: string } {
  try {
    return model.encode(problem.messages ?? problem.prompt, text);
  } catch (error) {
    return { failed: reasonOf(error) };
  }
}

/** Options of {@link processReward}. */
export interface ProcessRewardOptions extends RewardScorerOptions {
  /** How the probabilities that steps are right become one reward: the lowest (default), their product, or the last. */
  readonly over?: "minimum" | "product" | "last";
}

/**
 * A process reward model as a judge: each line of an answer is a step, and the reward is the probability that the steps
 * are right, from 0 to 1.
 */
export function processReward(
  from: string | readonly string[] | RewardScorer,
  { over = "minimum", ...options }: ProcessRewardOptions = {},
): AnswerJudge {
  if (!["minimum", "product", "last"].includes(over))
    fail("processReward", `over is ${over}; it must be one of minimum, product, last.`);
  let loaded: Promise<RewardScorer> | undefined;
  return async (answer, problem: Pick<Problem, "prompt" | "messages">) => {
    loaded ??= from instanceof RewardScorer ? Promise.resolve(from) : loadRewardModel(from, options);
    const steps = answer.split("\n").filter((line) => line.trim() !== "");
    if (steps.length === 0) return 0;
    const right = (await loaded)
      .stepRewards(problem.messages ?? problem.prompt, steps)
      .map((reward) => 1 / (1 + Math.exp(-reward)));
    if (over === "last") return right[right.length - 1];
    return over === "minimum" ? Math.min(...right) : right.reduce((a, b) => a * b, 1);
  };
}

/** The reward; of an ensemble also the disagreement of its members, as a term that is logged. */
const resultOf = ({ reward, members }: TextReward): JudgeResult =>
  members.length === 1 ? reward : { reward, terms: { disagreement: deviationOf(members) } };

/** Scores texts that are asked for at the same time in one call. */
function batches(): (scorer: RewardScorer, text: RewardText) => Promise<TextReward> {
  let waiting: { text: RewardText; done: (reward: TextReward) => void; failed: (error: unknown) => void }[] =
    [];
  const flush = (scorer: RewardScorer) => {
    const all = waiting;
    waiting = [];
    try {
      scorer.score(all.map((w) => w.text)).forEach((reward, i) => all[i].done(reward));
    } catch (error) {
      for (const { failed } of all) failed(error);
    }
  };
  return (scorer, text) =>
    new Promise((done, failed) => {
      waiting.push({ text, done, failed });
      if (waiting.length === 1) queueMicrotask(() => flush(scorer));
    });
}
