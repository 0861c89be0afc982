import { expect, it } from "vitest";
import { twentyQuestions } from "../multi-turn/environments/twenty-questions.ts";
import { arithmetic } from "./arithmetic.ts";
import { answerLimit, contextLength, longestConversation } from "./lengths.ts";

const task = (prompt: number, answer: number) => ({ ...arithmetic, longest: { prompt, answer } });

it("an answer may have the task's longest answer and the end token, unless a limit is given", () => {
  expect(answerLimit(task(8, 5))).toBe(6);
  expect(answerLimit(task(8, 5), undefined)).toBe(6);
  expect(answerLimit(task(8, 5), 3)).toBe(3);
});

it("a context holds the begin token, the longest prompt, the longest answer and the end token", () => {
  expect(contextLength(task(9, 5))).toBe(16);
  expect(contextLength(task(10, 5))).toBe(32);
});

it("a context holds an answer up to the limit, and end tokens that the limit does not count", () => {
  expect(contextLength(task(9, 5), { limit: 4, end: 1 })).toBe(16);
  expect(contextLength(task(9, 5), { limit: 6 })).toBe(16);
  expect(contextLength(task(9, 5), { limit: 6, end: 1 })).toBe(32);
});

it("a context of a multi-turn task holds its longest conversation", () => {
  const conversation = (characters: number) => ({
    ...twentyQuestions,
    longest: { ...twentyQuestions.longest, conversation: characters },
  });
  expect(longestConversation(conversation(47))).toBe(47);
  expect(contextLength(conversation(47), { limit: 1000 })).toBe(48);
  expect(contextLength(conversation(47), { end: 1 })).toBe(64);
  expect(longestConversation({ longest: { prompt: 10, answer: 4 } })).toBe(10 + 8 * (2 * 4 + 2));
});
