import { renderChat } from "../tokenizers/chat.ts";
import type { HubTokenizer } from "../tokenizers/hub.ts";
import type { Message } from "../tokenizers/message.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";

/** A conversation as a model sees it: tokens up to where it goes on, and the text that they stand for. */
export interface Heard {
  readonly tokens: readonly number[];
  readonly text: string;
}

/** How conversations become tokens. */
export interface Speaking {
  /** All of a conversation, up to where the model goes on. */
  hear(messages: readonly Message[]): Heard;
  /**
   * Only what is new, where the model has heard something and written a turn: `messages` are all, that turn and what was said since among
   * them. Undefined where the conversation as it is put now does not begin as it did: then it is heard anew.
   */
  follow(heard: Heard, written: readonly number[], messages: readonly Message[]): Heard | undefined;
  /** As much of a text as can be said to the model; all of it where this is not there. */
  sayable?(text: string): string;
}

/** Texts one after another, for models that read characters: what others say stands as it is, and a turn of the model's ends with the end. */
export function plainly(tokenizer: Tokenizer): Speaking {
  const { end } = tokenizer;
  const tokensOf = ({ role, content }: Message) =>
    role === "assistant" ? [...tokenizer.encode(content), end] : tokenizer.encode(content);
  const first = tokenizer.begin === undefined ? [] : [tokenizer.begin];
  const known = new Map<string, boolean>();
  const knows = (character: string) => {
    let is = known.get(character);
    if (is === undefined) known.set(character, (is = encodes(tokenizer, character)));
    return is;
  };
  return {
    // What tools and worlds say is not always made for a small alphabet.
    sayable: (text) => [...text].filter(knows).join(""),
    hear: (messages) => ({ tokens: [...first, ...messages.flatMap(tokensOf)], text: "" }),
    follow(_, written, messages) {
      const last = messages.map((m) => m.role).lastIndexOf("assistant");
      const since = messages.slice(last + 1);
      const ended = written[written.length - 1] === end;
      return { tokens: [...(ended ? [] : [end]), ...since.flatMap(tokensOf)], text: "" };
    },
  };
}

/** Whether a text is made of what a tokenizer knows. */
export function encodes(tokenizer: Tokenizer, text: string): boolean {
  try {
    return tokenizer.encode(text).length > 0;
  } catch {
    return false;
  }
}

/** As a chat template puts it. The model's own turns stay the tokens that it wrote: of the text only what is new is encoded. */
export function byTemplate(
  tokenizer: Tokenizer & Pick<HubTokenizer, "special">,
  template: string,
  tools?: readonly object[],
): Speaking {
  const render = (messages: readonly Message[]) =>
    renderChat(messages, { template, special: tokenizer.special, tools });
  return {
    hear(messages) {
      const text = render(messages);
      return { tokens: tokenizer.encode(text), text };
    },
    follow(heard, written, messages) {
      const before = heard.text + spelled(tokenizer, written);
      const text = render(messages);
      if (!text.startsWith(before)) return undefined;
      return { tokens: tokenizer.encode(text.slice(before.length)), text };
    },
  };
}

/** The text of tokens, special ones included. */
export function spelled(tokenizer: Tokenizer, tokens: readonly number[]): string {
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
