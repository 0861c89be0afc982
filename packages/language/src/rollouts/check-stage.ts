import { fail } from "@reins/core";
import { checkConversation } from "../conversation/check-conversation.ts";
import type { TextStageOptions } from "../stage-options.ts";
import { answerLimit } from "../tasks/lengths.ts";
import { sampleProblem } from "../tasks/sample-problem.ts";
import { checkTokenizer } from "./check-tokenizer.ts";
import { promptOf } from "./prompt.ts";

/** Throws if a prompt and its answer, in tokens, exceed the model's context. */
export function checkLength({ family, start }: TextStageOptions, prompt: number, answer: number): void {
  const { context } = start.options;
  if (prompt + answer <= context) return;
  fail(
    `task ${family.id}`,
    `a prompt has ${prompt} tokens and its answer ${answer}, but the model's context is ${context}. Use a model with a longer context or an easier level.`,
  );
}

/** Problems checked before the first rollout. */
const looks = 8;

/** Throws if a family's problems do not fit the model. */
export function checkStage(options: TextStageOptions): void {
  const { family, level, start, tokenizer, sampling, split = "train" } = options;
  const { vocabulary } = start.options;
  if (tokenizer.size > vocabulary)
    fail(
      `task ${family.id}`,
      `the tokenizer has ${tokenizer.size} tokens, but the model's vocabulary is ${vocabulary}. Use the model's own tokenizer.`,
    );
  if (sampling?.temperature === 0)
    fail(
      `task ${family.id}`,
      "temperature is 0: all answers of a group would be identical and give no learning signal. Use a temperature above 0; evaluation is always greedy.",
    );
  const limit = answerLimit(family, options.limit);
  const source = options.limit === undefined ? "longest.answer of the family, plus 1" : "the option `limit`";
  if (!(limit >= 1 && limit < Number.POSITIVE_INFINITY))
    fail(
      `task ${family.id}`,
      `the answer limit is ${limit} (${source}). Set it to at least 1, the maximum tokens of an answer.`,
    );
  checkConversation(options);
  checkTokenizer(options, looks);
  for (let i = 0; i < looks; i++) {
    const problem = sampleProblem(family, level, split, i);
    checkLength(
      options,
      promptOf(options, problem).prompt.length,
      tokenizer.encode(problem.answer).length + 1,
    );
  }
}
