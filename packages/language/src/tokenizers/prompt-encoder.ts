import { fail } from "@reins/core";
import { renderChat } from "./chat.ts";
import type { HubTokenizer } from "./hub.ts";
import { encodeShielded, forgeable, shielded } from "./special-text.ts";

/** Settings of {@link promptEncoder}. */
export interface PromptEncoderOptions {
  /** Whether a prompt is a user message of a conversation (default: if the tokenizer has a chat template). */
  readonly chat?: boolean;
  /** Task description before the prompt of a conversation, where the problem alone is ambiguous. */
  readonly about?: string;
  /** System message. */
  readonly system?: string;
  /** The placeholder of images: the one special token that prompts may contain. */
  readonly placeholder?: number;
}

/** Encodes prompts for a Hugging Face model: through its chat template, or as plain text. */
export function promptEncoder(
  tokenizer: HubTokenizer,
  options: PromptEncoderOptions = {},
): (prompt: string) => number[] {
  const { chatTemplate: template, special, begin } = tokenizer;
  const { chat = template !== undefined, about, system } = options;
  const specialTokens = forgeable(tokenizer, options.placeholder);
  if (!chat && system !== undefined)
    return fail(
      "chat",
      "a system message needs a chat template. Remove system, or use a tokenizer with a chat template.",
    );
  if (!chat) return (prompt) => [...(begin === undefined ? [] : [begin]), ...tokenizer.encode(prompt)];
  if (template === undefined)
    return fail("chat", "the tokenizer has no chat template. Leave out chat to use plain prompts.");
  return (prompt) => {
    const content = about === undefined ? prompt : `${about}\n\n${prompt}`;
    const before = system === undefined ? [] : [{ role: "system", content: system } as const];
    const messages = shielded([...before, { role: "user", content }], { specialTokens });
    return encodeShielded(tokenizer, renderChat(messages, { template, special }));
  };
}
