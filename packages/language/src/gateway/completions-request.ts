import { refuse } from "./api-error.ts";
import { type ChatRequest, stopsOf, usageIn } from "./chat-request.ts";
import { checkFields, completionFields } from "./request-fields.ts";
import { isObject, isOn, modelIn, samplingIn, wholeIn } from "./request-options.ts";

/** Maximum number of prompts, and of replies to each. */
const limits = { prompts: 128, n: 128 };

/** Default maximum tokens of a completion, as in the OpenAI API. */
const usual = 16;

/** A text or tokens to continue. */
export type RawPrompt = NonNullable<ChatRequest["prompt"]>;

/** Parses the body of a completion request: one request for each prompt. */
export function completionRequests(body: unknown): readonly ChatRequest[] {
  if (!isObject(body)) return refuse("body", "The body must be a JSON object.");
  checkFields(body, completionFields);
  const stream = isOn(body, "stream");
  const request = {
    model: modelIn(body),
    messages: [],
    tools: [],
    choice: "auto",
    n: wholeIn(body, "n", 1, limits.n) ?? 1,
    seed: wholeIn(body, "seed", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    stop: stopsOf(body.stop),
    limit: wholeIn(body, "max_tokens", 1) ?? usual,
    // Only the sampled token's: 0 alternatives.
    logprobs: wholeIn(body, "logprobs", 0, 0) !== undefined,
    stream,
    usage: usageIn(body.stream_options, stream),
    sampling: samplingIn(body),
  } as const;
  return textsIn(body.prompt, "prompt", limits.prompts).map((prompt) => ({ ...request, prompt }));
}

/** Texts or lists of tokens: one, or several. */
export function textsIn(given: unknown, param: string, most: number): readonly RawPrompt[] {
  const isTokens = (x: unknown): x is number[] =>
    Array.isArray(x) && x.length > 0 && x.every((t) => Number.isSafeInteger(t) && (t as number) >= 0);
  const isText = (x: unknown): x is RawPrompt => typeof x === "string" || isTokens(x);
  if (isText(given)) return [given];
  if (!Array.isArray(given) || given.length === 0 || !given.every(isText))
    return refuse(param, `${param} must be a string, an array of token ids, or a non-empty array of these.`);
  if (given.length > most) refuse(param, `${param} has ${given.length} texts; the maximum is ${most}.`);
  return given;
}
