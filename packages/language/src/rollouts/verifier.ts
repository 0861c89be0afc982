import type { Judge, Verdict } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import type { TextTask } from "../tasks/text-task.ts";
import { reasonOf } from "../tools/reason.ts";
import { allWithTimeout } from "../tools/timeout.ts";
import { type AnswerResult, answerOf } from "./text-episode.ts";

type Answer = Pick<AnswerResult, "problem" | "text">;

/** Settings of {@link verifier}. */
export interface VerifierOptions {
  /** Milliseconds without any verdict after which the missing ones count as failed (default 10,000). */
  readonly patience?: number;
}

/**
 * Rewards answers by the task's verifier. A verifier that throws, returns a non-finite score or never ends gives
 * reward 0, with the reason in `failed`.
 */
export function verifier(task: TextTask, options: VerifierOptions = {}): Judge {
  return (episodes) => verdictsOf(task, episodes.map(answerOf), options);
}

/** The verdicts of a task's verifier on answers. */
export function verdictsOf(
  task: TextTask,
  answers: readonly Answer[],
  { patience = 10_000 }: VerifierOptions = {},
): Promise<readonly Verdict[]> {
  const late = failed(`no verdict within ${patience} ms`);
  return allWithTimeout(
    answers.map((answer) => verdictOf(task, answer)),
    patience,
    late,
  );
}

const failed = (why: string): Verdict => ({ reward: 0, failed: why });

async function verdictOf(task: TextTask, { problem, text }: Answer): Promise<Verdict> {
  try {
    const { score, terms, wellFormed, answer, why } = await task.verify(problem, text);
    if (!Number.isFinite(score))
      return failed(`the score is ${describeValue(score)}; it must be a finite number`);
    return {
      reward: score,
      wellFormed,
      ...(terms === undefined ? {} : { terms }),
      ...(answer === undefined ? {} : { answer }),
      ...(why === undefined ? {} : { info: { why } }),
    };
  } catch (error) {
    return failed(reasonOf(error));
  }
}
