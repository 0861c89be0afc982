import { renderChat } from "../tokenizers/chat.ts";
import type { HubTokenizer } from "../tokenizers/hub.ts";
import type { Message } from "../tokenizers/message.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import { byPrefixes } from "../tokenizers/turns.ts";
import { readGeneration } from "./special-tokens.ts";

/**
 * Tokens that end a reply of the model in a folder, besides its tokenizer's end token: those of
 * `generation_config.json`, and the special token with which its chat template ends a turn. Gemma and Phi-3 end turns
 * with another token than texts.
 */
export async function endTokens(
  folder: string,
  tokenizer: Tokenizer & Partial<HubTokenizer>,
): Promise<readonly number[]> {
  const { ends } = await readGeneration(folder);
  const turn = turnEnd(tokenizer);
  return [...new Set([...ends, ...(turn === undefined ? [] : [turn])])].filter((id) => id !== tokenizer.end);
}

/** The special token with which the chat template ends a turn of the assistant; undefined if there is none. */
export function turnEnd(tokenizer: Tokenizer & Partial<HubTokenizer>): number | undefined {
  const { chatTemplate: template, special } = tokenizer;
  if (template === undefined) return undefined;
  const messages: readonly Message[] = [
    { role: "user", content: "a" },
    { role: "assistant", content: "b" },
  ];
  try {
    const render = (some: readonly Message[], reply: boolean) =>
      renderChat(some, { template, special, reply });
    const [, taught] = byPrefixes(messages, render, tokenizer);
    const last = tokenizer.encode(taught.text).at(-1);
    return last !== undefined && tokenizer.bytesOf(last) === undefined ? last : undefined;
  } catch {
    // Templates may refuse this conversation, as those with a fixed system message.
    return undefined;
  }
}
