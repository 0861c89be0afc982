import { fail } from "@reins/core";
import { renderChat } from "./chat.ts";
import type { HubTokenizer } from "./hub.ts";

/** Settings of {@link asking}. */
export interface AskingOptions {
  /** Whether a prompt is put as a user's turn of a conversation (default: if the tokenizer has a chat template). */
  readonly chat?: boolean;
  /** What is to be done, which stands before the prompt of a conversation: there a problem alone says too little. */
  readonly about?: string;
  /** What the system says before a conversation. */
  readonly system?: string;
}

/** How a model from a Hugging Face folder is asked: through its chat template, or by the text as it stands. Gives tokens. */
export function asking(tokenizer: HubTokenizer, options: AskingOptions = {}): (prompt: string) => number[] {
  const { chatTemplate: template, special, begin } = tokenizer;
  const { chat = template !== undefined, about, system } = options;
  if (!chat && system !== undefined)
    return fail("chat", "only a conversation has a system prompt, and prompts are put as they stand here.");
  if (!chat) return (prompt) => [...(begin === undefined ? [] : [begin]), ...tokenizer.encode(prompt)];
  if (template === undefined)
    return fail(
      "chat",
      "the tokenizer has no chat template. Leave chat out, and prompts are put as they stand.",
    );
  return (prompt) => {
    const content = about === undefined ? prompt : `${about}\n\n${prompt}`;
    const before = system === undefined ? [] : [{ role: "system", content: system } as const];
    return tokenizer.encode(renderChat([...before, { role: "user", content }], { template, special }));
  };
}
