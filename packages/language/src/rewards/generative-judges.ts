import { fail } from "@reins/core";
import type { AnswerJudge } from "../tasks/judge.ts";
import type { Problem, TextTask } from "../tasks/text-task.ts";
import type { Message } from "../tokenizers/message.ts";
import type { JudgeModel } from "./judge-model.ts";

/** Options of {@link rubric}. */
export interface RubricOptions {
  /** What to rate: "Is the answer correct and short?". */
  readonly criteria: string;
  /** The highest grade; grades are 1 to it (default 5). */
  readonly grades?: number;
}

/** What the judge reads of a problem. */
type Asked = Pick<Problem, "prompt">;

/**
 * A judge that has a model grade each answer by a rubric. The reward is the expected grade under the model's probabilities,
 * from 0 (the lowest) to 1.
 */
export function rubric(model: JudgeModel, { criteria, grades = 5 }: RubricOptions): AnswerJudge {
  if (!(Number.isSafeInteger(grades) && grades >= 2 && grades <= 9))
    fail("rubric", `grades is ${grades}; it must be a whole number from 2 to 9.`);
  const replies = Array.from({ length: grades }, (_, i) => `${i + 1}`);
  return async (answer, problem: Asked) => {
    const shares = await model.choose(
      [
        {
          role: "user",
          content: `${criteria}\n\nQuestion:\n${problem.prompt}\n\nAnswer:\n${answer}\n\nReply with a grade from 1 (worst) to ${grades} (best) and nothing else.`,
        },
      ],
      replies,
    );
    return shares.reduce((sum, share, i) => sum + share * i, 0) / (grades - 1);
  };
}

/** Options of {@link pairwise}. */
export interface PairwiseOptions {
  /** By what to compare: "Which answer is more helpful?". */
  readonly criteria: string;
  /** Whether each pair is shown in both orders, and the two probabilities are averaged (default). Once is half the work, and biased. */
  readonly bothOrders?: boolean;
}

/**
 * The preference of a model between two answers, as a task's `prefer`: the probability that the first is better. With both
 * orders, exchanging the answers exchanges the probabilities: a preference for a position cancels.
 */
export function pairwise(
  model: JudgeModel,
  { criteria, bothOrders = true }: PairwiseOptions,
): (problem: Asked, one: string, other: string) => Promise<number> {
  const shown = shownFirst(model, criteria);
  return async (problem, one, other) => {
    const first = await shown(problem, one, other);
    return bothOrders ? (first + 1 - (await shown(problem, other, one))) / 2 : first;
  };
}

/** The task with this preference, for methods that compare completions. */
export const withPreference = <T>(task: TextTask<T>, prefer: ReturnType<typeof pairwise>): TextTask<T> => ({
  ...task,
  prefer,
});

/** How a judge depends on the order of answers. */
export interface PositionBias {
  /** Mean probability of the answer that is shown first, over both orders, minus ½: above 0 it prefers the first. */
  readonly bias: number;
  /** Share of pairs whose preferred answer changes with the order. */
  readonly inconsistent: number;
  readonly pairs: number;
}

/** Two answers to a problem. */
export interface AnswerPair extends Asked {
  readonly one: string;
  readonly other: string;
}

/** Measures the position bias of a model by showing pairs in both orders. */
export async function positionBias(
  model: JudgeModel,
  criteria: string,
  pairs: readonly AnswerPair[],
): Promise<PositionBias> {
  if (pairs.length === 0) fail("positionBias", "got no pairs. Pass at least one.");
  const shown = shownFirst(model, criteria);
  let [bias, changed] = [0, 0];
  for (const { prompt, one, other } of pairs) {
    const [first, second] = [await shown({ prompt }, one, other), await shown({ prompt }, other, one)];
    bias += (first + second) / 2 - 0.5;
    // In the second order, the other answer is shown first.
    if ((first - 0.5) * (0.5 - second) < 0) changed++;
  }
  return { bias: bias / pairs.length, inconsistent: changed / pairs.length, pairs: pairs.length };
}

/** The probability that the answer that is shown first is better. */
const shownFirst =
  (model: JudgeModel, criteria: string) =>
  async ({ prompt }: Asked, first: string, second: string): Promise<number> => {
    const messages: readonly Message[] = [
      {
        role: "user",
        content: `${criteria}\n\nQuestion:\n${prompt}\n\nAnswer A:\n${first}\n\nAnswer B:\n${second}\n\nReply with A or B and nothing else.`,
      },
    ];
    const [share] = await model.choose(messages, ["A", "B"]);
    return share;
  };
