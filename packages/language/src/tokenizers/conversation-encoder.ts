import { fail } from "@reins/core";
import { renderChat } from "./chat.ts";
import type { HubTokenizer } from "./hub.ts";
import { type Message, transcript } from "./message.ts";
import { encodeShielded, forgeable, shielded, shieldedTools } from "./special-text.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { byMarks, byPrefixes, type Piece } from "./turns.ts";

/** A span of a conversation's tokens, written by the teacher or by others. */
export interface EncodedTurn {
  readonly by: "environment" | "teacher";
  readonly tokens: readonly number[];
}

/** How conversations are encoded for a model. `tools` are descriptions that the chat template renders. */
export interface ConversationEncoder {
  /** Prompt tokens, up to where the model continues. */
  encodePrompt(messages: readonly Message[], tools?: readonly object[]): number[];
  /**
   * The whole conversation, which ends with an assistant turn: all assistant turns are the teacher's, each with its
   * end token.
   */
  encodeDemonstration(messages: readonly Message[], tools?: readonly object[]): readonly EncodedTurn[];
}

/** Settings of {@link conversationEncoder}. */
export interface ConversationEncoderOptions {
  /** Whether to use the chat template (default: if there is one). Without one, turns are lines that name the role. */
  readonly chat?: boolean;
  /** System message for conversations without one. */
  readonly system?: string;
  /** The placeholder of images: the one special token that messages of users may contain. */
  readonly placeholder?: number;
}

/** Encodes conversations with a tokenizer's chat template. */
export function conversationEncoder(
  tokenizer: Tokenizer & Partial<HubTokenizer>,
  options: ConversationEncoderOptions = {},
): ConversationEncoder {
  const { chatTemplate: template, special, begin, end } = tokenizer;
  const { chat = template !== undefined, system } = options;
  const whole = (messages: readonly Message[]): readonly Message[] =>
    system === undefined || messages[0]?.role === "system"
      ? messages
      : [{ role: "system", content: system }, ...messages];
  const tokensOf = (pieces: readonly Piece[]): EncodedTurn[] => {
    const last = pieces.length - 1;
    let before: number | undefined;
    return pieces.map(({ by, text }, i) => {
      const tokens = encodeShielded(tokenizer, text, before);
      before = tokens.at(-1) ?? before;
      return { by, tokens: i === last && tokens[tokens.length - 1] !== end ? [...tokens, end] : tokens };
    });
  };
  if (!chat) {
    const first = begin === undefined ? [] : [begin];
    return {
      encodePrompt(messages, tools) {
        refuseTools(messages, tools, undefined);
        return [...first, ...tokenizer.encode(transcript(whole(messages)))];
      },
      encodeDemonstration(messages, tools) {
        refuseTools(messages, tools, undefined);
        const [start, ...rest] = tokensOf(inPlainWords(whole(messages)));
        return [{ ...start, tokens: [...first, ...start.tokens] }, ...rest];
      },
    };
  }
  if (template === undefined)
    return fail("chat", "the tokenizer has no chat template. Leave out chat to use plain transcripts.");
  const specialTokens = forgeable(tokenizer, options.placeholder);
  const own = (messages: readonly Message[]) => shielded(whole(messages), { specialTokens });
  const ownTools = (tools: readonly object[] | undefined) => shieldedTools(tools, { specialTokens });
  const render = (messages: readonly Message[], reply: boolean, tools?: readonly object[]) =>
    renderChat(messages, { template, special, reply, tools });
  return {
    encodePrompt(messages, tools) {
      refuseTools(messages, tools, template);
      return encodeShielded(tokenizer, render(own(messages), true, ownTools(tools)));
    },
    encodeDemonstration(messages, tools) {
      refuseTools(messages, tools, template);
      const all = own(messages);
      const listed = ownTools(tools);
      const rendered = (some: readonly Message[], reply: boolean) => render(some, reply, listed);
      const marked = byMarks(all, template, { special, tools: listed });
      return tokensOf(marked ?? byPrefixes(all, rendered, tokenizer));
    },
  };
}

/** Refuses tools and calls that would be dropped: without them the model would learn other turns. */
function refuseTools(
  messages: readonly Message[],
  tools: readonly object[] | undefined,
  template: string | undefined,
): void {
  const lacks = (name: string) => template === undefined || !new RegExp(`\\b${name}\\b`).test(template);
  const subject =
    template === undefined ? "the tokenizer has no chat template" : "the chat template has no place for them";
  if (tools?.length && lacks("tools"))
    fail(
      "chat",
      `the conversation has tools, but ${subject}. Describe them in a system message, and remove the field.`,
    );
  if (messages.some((m) => m.apart && m.calls?.length) && lacks("tool_calls"))
    fail(
      "chat",
      `a turn has tool_calls, but ${subject}. Write them into content, as the model should spell them.`,
    );
}

/** Lines that name the role. A newline ends a turn. */
function inPlainWords(messages: readonly Message[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let before = "";
  messages.forEach((message, i) => {
    if (message.role !== "assistant") {
      before += transcript([message], false);
      return;
    }
    const ending = i === messages.length - 1 ? "" : "\n";
    pieces.push(
      { by: "environment", text: `${before}assistant: ` },
      { by: "teacher", text: message.content + ending },
    );
    before = "";
  });
  return pieces;
}
