import { ApiError, refuse } from "./api-error.ts";
import type { Question } from "./call-tree.ts";
import type { RawPrompt } from "./completions-request.ts";
import type { EngineOptions } from "./engine-options.ts";
import { checkFits, long } from "./prompt.ts";

/** The tokens of a text without a chat template, behind the model's begin token if it has one; tokens stay as they are. */
export async function rawTokens(
  prompt: RawPrompt,
  { tokenizer, start }: Pick<EngineOptions, "tokenizer" | "start">,
  param = "prompt",
): Promise<readonly number[]> {
  if (typeof prompt !== "string") {
    const { vocabulary } = start.options;
    const wrong = prompt.find((token) => token >= vocabulary);
    if (wrong !== undefined)
      refuse(param, `Token ${wrong} is not in the vocabulary, which has ${vocabulary} tokens.`);
    return prompt;
  }
  checkFits(new TextEncoder().encode(prompt).length, { tokenizer, start }, param);
  const encoded =
    prompt.length < long
      ? tokenizer.encode(prompt)
      : ((await tokenizer.encodeInBackground?.(prompt)) ?? tokenizer.encode(prompt));
  const tokens = tokenizer.begin === undefined ? encoded : [tokenizer.begin, ...encoded];
  if (tokens.length === 0)
    throw new ApiError(400, `${param} is empty. It must have at least one token.`, { param });
  return tokens;
}

/** A call that continues a text. */
export const rawQuestion = (tokens: readonly number[]): Question => ({
  tokens,
  messages: [],
  asked: [],
  rendered: { tokens, text: "" },
});
