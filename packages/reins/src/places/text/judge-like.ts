import type { AnswerJudge } from "@reins/language";

/** What an answer is worth: a judge by name (`"exact"`, `"number"`), a file whose default export is one, or a function. */
export type JudgeLike = string | AnswerJudge;
