import { type ChatRendering, renderingFor } from "../chat/rendering.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import type { Message } from "../tokenizers/message.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import type { Tool } from "../tools/tool.ts";
import { ApiError } from "./api-error.ts";
import type { CallTree, Question } from "./call-tree.ts";

/** Characters from which a conversation is encoded in the background: shorter ones take milliseconds. */
export const long = 8192;

/** A call and the format of its tool calls. */
export interface Prompt extends Pick<ChatRendering, "format"> {
  readonly question: Question;
}

/**
 * The prompt tokens of a conversation. A conversation that cannot fit is rejected before encoding, and a long one is
 * encoded in another thread, so that training and other requests continue. The tokens are the same as those of a
 * direct call.
 */
export async function promptOf(
  tree: CallTree,
  messages: readonly Message[],
  tools: readonly Tool<never, never>[],
  options: Pick<TextStageOptions, "tokenizer" | "format" | "start">,
  kind: string,
): Promise<Prompt> {
  const { tokenizer } = options;
  const ask = (encode: Tokenizer["encode"]): Prompt => {
    const { chatFormat, format, toolPrompt } = renderingFor({ ...tokenizer, encode }, tools, options);
    const opening: Message[] = toolPrompt === undefined ? [] : [{ role: "system", content: toolPrompt }];
    return { question: tree.ask([...opening, ...messages], chatFormat, kind), format };
  };
  if (messages.reduce((sum, m) => sum + lengthOf(m), kind.length) < long) return ask(tokenizer.encode);
  const known = new Map<string, number[]>();
  for (let pass = 0; ; pass++) {
    // The texts to encode. Others may follow from their tokens, and from a reply that the conversation got meanwhile.
    const missing = new Set<string>();
    let bytes = 0;
    const prompt = ask((text) => {
      bytes += new TextEncoder().encode(text).length;
      const tokens = known.get(text);
      if (!tokens) missing.add(text);
      return tokens ?? [];
    });
    if (missing.size === 0) return prompt;
    // Later passes encode parts of these texts again, with what is before them.
    if (pass === 0) checkFits(bytes, options);
    for (const text of missing)
      known.set(text, (await tokenizer.encodeInBackground?.(text)) ?? tokenizer.encode(text));
  }
}

/** Rejects messages with more bytes than a context full of the longest token. */
export function checkFits(
  bytes: number,
  { tokenizer, start }: Pick<TextStageOptions, "tokenizer" | "start">,
  param = "messages",
): void {
  const { context } = start.options;
  const longest = tokenizer.longestToken?.() ?? Number.POSITIVE_INFINITY;
  if (bytes <= context * longest) return;
  throw new ApiError(
    400,
    `This model's maximum context length is ${context} tokens of at most ${longest} bytes, ${context * longest} bytes in total, but the ${param} ${param === "messages" ? "have" : "has"} ${bytes} bytes.`,
    { code: "context_length_exceeded", param },
  );
}

const lengthOf = ({ content, calls }: Message): number =>
  content.length + (calls ? JSON.stringify(calls).length : 0);
