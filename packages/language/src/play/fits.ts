import { fail } from "@reins/core";
import { checkTalk } from "../conversation/check-talk.ts";
import type { TextStageOptions } from "../stage-options.ts";
import { draw } from "../tasks/draw.ts";
import { asked } from "./prompt.ts";
import { checkWriting } from "./writable.ts";

/** Stops with the reason if a prompt and its answer, in tokens, are longer than what the model can read. */
export function checkLength({ family, start }: TextStageOptions, prompt: number, answer: number): void {
  const { context } = start.options;
  if (prompt + answer <= context) return;
  fail(
    `task ${family.id}`,
    `a prompt has ${prompt} tokens and its answer ${answer}; the model's context is ${context}. Take a model with a longer one, or an easier level.`,
  );
}

/** Problems that are looked at before anything is played. */
const looks = 8;

/** Stops with the reason if a model cannot be asked a family's problems. */
export function checkStage(options: TextStageOptions): void {
  const { family, level, start, tokenizer, sampling, split = "train" } = options;
  const { vocabulary } = start.options;
  if (tokenizer.size > vocabulary)
    fail(
      `task ${family.id}`,
      `the tokenizer has ${tokenizer.size} tokens; the model's vocabulary has ${vocabulary}. Use the tokenizer that the model was made for.`,
    );
  if (sampling?.temperature === 0)
    fail(
      `task ${family.id}`,
      "at temperature 0 all answers are the same, and there is nothing to learn from. Take one above 0; evaluation is greedy by itself.",
    );
  const { limit, source } =
    options.limit === undefined
      ? { limit: family.longest.answer + 1, source: "longest.answer of the family, plus 1" }
      : { limit: options.limit, source: "the option `limit`" };
  if (!(limit >= 1 && limit < Number.POSITIVE_INFINITY))
    fail(
      `task ${family.id}`,
      `an answer may have ${limit} tokens (${source}). Set it to a number from 1: the most tokens that an answer needs.`,
    );
  checkTalk(options);
  checkWriting(options, looks);
  for (let i = 0; i < looks; i++) {
    const problem = draw(family, level, split, i);
    checkLength(options, asked(options, problem).prompt.length, tokenizer.encode(problem.answer).length + 1);
  }
}
