import type { AnswerJudge } from "@reins/language";

/**
 * A judge of answers: a name (`"exact"`, `"number"`), a file whose default export is a judge, a reward model
 * (`"reward-model:./folder"`), or a function.
 */
export type JudgeLike = string | AnswerJudge;
