import { renderChat } from "../tokenizers/chat.ts";
import type { HubTokenizer } from "../tokenizers/hub.ts";
import type { Message } from "../tokenizers/message.ts";
import { encodeShielded, shielded, shieldedTools } from "../tokenizers/special-text.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";

/** The prompt tokens of a conversation, up to where the model continues, and their text. */
export interface RenderedPrompt {
  readonly tokens: readonly number[];
  readonly text: string;
}

/** A chat format: how conversations become tokens. */
export interface ChatFormat {
  /** Prompt tokens of a whole conversation. */
  render(messages: readonly Message[]): RenderedPrompt;
  /**
   * Prompt tokens that follow the model's last turn; `messages` is the whole conversation, including that turn and
   * the messages since. Undefined where the new rendering does not begin with the old one: then `render` renders the
   * whole conversation again.
   */
  renderNew(
    rendered: RenderedPrompt,
    written: readonly number[],
    messages: readonly Message[],
  ): RenderedPrompt | undefined;
  /** The part of a text that the tokenizer can encode (default: all of it). */
  encodable?(text: string): string;
}

/** Which characters each tokenizer can encode, as far as texts have used them. */
const encodableCharacters = new WeakMap<Tokenizer, Map<string, boolean>>();

/** Plain text for character-level models: messages are concatenated, and each model turn ends with the end token. */
export function plainFormat(tokenizer: Tokenizer): ChatFormat {
  const { end } = tokenizer;
  const addTo = (tokens: number[], message: Message) => {
    const [{ role, content }] = shielded([message], tokenizer);
    for (const token of encodeShielded(tokenizer, content)) tokens.push(token);
    if (role === "assistant") tokens.push(end);
  };
  const known = encodableCharacters.get(tokenizer) ?? new Map<string, boolean>();
  encodableCharacters.set(tokenizer, known);
  const knows = (character: string) => {
    let is = known.get(character);
    if (is === undefined) known.set(character, (is = canEncode(tokenizer, character)));
    return is;
  };
  return {
    // Outputs of tools and environments may have characters outside a small alphabet.
    encodable: (text) => {
      for (const character of text) if (!knows(character)) return [...text].filter(knows).join("");
      return text;
    },
    render(messages) {
      const tokens = tokenizer.begin === undefined ? [] : [tokenizer.begin];
      for (const message of messages) addTo(tokens, message);
      return { tokens, text: "" };
    },
    renderNew(_, written, messages) {
      let from = messages.length;
      while (from > 0 && messages[from - 1].role !== "assistant") from--;
      const tokens = written[written.length - 1] === end ? [] : [end];
      for (let i = from; i < messages.length; i++) addTo(tokens, messages[i]);
      return { tokens, text: "" };
    },
  };
}

/** Whether the tokenizer can encode a text. */
export function canEncode(tokenizer: Tokenizer, text: string): boolean {
  try {
    return tokenizer.encode(text).length > 0;
  } catch {
    return false;
  }
}

/**
 * Renders by a chat template. The model's own turns keep their sampled tokens: only the new part of the text is
 * encoded.
 */
export function templateFormat(
  tokenizer: Tokenizer & Pick<HubTokenizer, "special">,
  template: string,
  tools?: readonly object[],
): ChatFormat {
  const listed = shieldedTools(tools, tokenizer);
  const render = (messages: readonly Message[]) =>
    renderChat(shielded(messages, tokenizer), { template, special: tokenizer.special, tools: listed });
  return {
    render(messages) {
      const text = render(messages);
      return { tokens: encodeShielded(tokenizer, text), text };
    },
    renderNew(rendered, written, messages) {
      const before = rendered.text + textWithSpecials(tokenizer, written);
      const text = render(messages);
      if (!text.startsWith(before)) return undefined;
      const last = written.at(-1) ?? rendered.tokens.at(-1);
      return { tokens: encodeShielded(tokenizer, text.slice(before.length), last), text };
    },
  };
}

/** The text of tokens, special ones included. */
export function textWithSpecials(tokenizer: Tokenizer, tokens: readonly number[]): string {
  let text = "";
  let bytes: number[] = [];
  const flush = () => {
    if (bytes.length) text += new TextDecoder().decode(Uint8Array.from(bytes));
    bytes = [];
  };
  for (const token of tokens) {
    const own = tokenizer.bytesOf(token);
    if (own) bytes.push(...own);
    else {
      flush();
      text += tokenizer.textOf(token);
    }
  }
  flush();
  return text;
}
