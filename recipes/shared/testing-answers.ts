import type { Answer } from "./length-rewards.ts";

const answer = (right: boolean, length: number, more: Partial<Answer> = {}): Answer => ({
  right,
  length,
  truncated: false,
  text: "",
  ...more,
});
/** A correct answer with this number of tokens. */
export const right = (length: number, more?: Partial<Answer>): Answer => answer(true, length, more);
/** A wrong answer with this number of tokens. */
export const wrong = (length: number, more?: Partial<Answer>): Answer => answer(false, length, more);
