import type { Generated } from "../generation/sequence.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import type { Reply, Usage } from "./reply.ts";

/** Finish reason in the API's terms. */
export const finishOf = ({ text, calls }: Reply): string =>
  calls.length ? "tool_calls" : text.ended === "limit" ? "length" : "stop";

/** Usage in the API's terms. */
export const usageOf = ({ prompt, cached, completion }: Usage) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
});

/** Tool calls in the API's terms. */
export const toolCallsOf = (calls: Reply["calls"]) =>
  calls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));

/** Log-probabilities of a reply's tokens under the sampling distribution, from a token on. */
export function logprobsOf({ tokens, logProb }: Generated, tokenizer: Tokenizer, from = 0) {
  const content = tokens.slice(from).map((token, i) => {
    const bytes = tokenizer.bytesOf(token);
    return {
      token: tokenizer.textOf(token),
      logprob: logProb[from + i],
      bytes: bytes ? [...bytes] : null,
      top_logprobs: [],
    };
  });
  return { content, refusal: null };
}

/** A chat completion that is not streamed. */
export function completion(
  about: { readonly id: string; readonly model: string; readonly created: number },
  replies: readonly Reply[],
  usage: Usage,
  { logprobs, tokenizer }: { logprobs: boolean; tokenizer: Tokenizer },
) {
  return {
    ...about,
    object: "chat.completion",
    choices: replies.map((reply, index) => ({
      index,
      message: {
        role: "assistant",
        content: reply.calls.length && reply.content === "" ? null : reply.content,
        refusal: null,
        ...(reply.calls.length ? { tool_calls: toolCallsOf(reply.calls) } : {}),
      },
      logprobs: logprobs ? logprobsOf(reply.text, tokenizer) : null,
      finish_reason: finishOf(reply),
    })),
    usage: usageOf(usage),
  };
}

/** A server-sent event. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
