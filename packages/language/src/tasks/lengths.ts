import { episodeOf, isMultiTurn } from "./episode.ts";
import type { TextTask } from "./text-task.ts";

/** Maximum tokens of an answer: the given limit, or the task's longest answer and the end token. */
export const answerLimit = (
  { longest }: Pick<TextTask, "longest">,
  limit: number | undefined = longest.answer + 1,
): number => limit;

/** Maximum characters of a conversation, including turn ends. */
export function longestConversation(task: Pick<TextTask, "longest" | "episode">): number {
  const { prompt, answer, conversation = prompt + episodeOf(task).turns * (2 * answer + 2) } = task.longest;
  return conversation;
}

/** Settings of {@link contextLength}. */
export interface ContextLengthOptions {
  /** Maximum tokens of an answer, where it may exceed the task's longest answer. */
  readonly limit?: number;
  /** End tokens that neither `limit` nor `longest.conversation` of the task counts (default 0). */
  readonly end?: number;
}

/** Context length of a character-level model for a task: its longest text, rounded up to a multiple of 16. */
export function contextLength(task: TextTask, { limit = 0, end = 0 }: ContextLengthOptions = {}): number {
  const longest = isMultiTurn(task)
    ? longestConversation(task) + end
    : task.longest.prompt + Math.max(answerLimit(task), limit + end);
  return 16 * Math.ceil((longest + 1) / 16);
}
