import { fail } from "@reins/core";
import type { TextStageOptions } from "./stage-options.ts";

/** Throws if a prompt and its answer, in tokens, exceed the model's context. */
export function checkLength({ task, start }: TextStageOptions, prompt: number, answer: number): void {
  const { context } = start.options;
  if (prompt + answer <= context) return;
  fail(
    `task ${task.id}`,
    `a prompt has ${prompt} tokens and its answer ${answer}, but the model's context is ${context}. Use a model with a longer context or an easier level.`,
  );
}
