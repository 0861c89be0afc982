import { encodeAfter } from "./continuation.ts";
import type { Message } from "./message.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * Separates the first character of a special token's text in a message from the rest, so that it is encoded as text. A noncharacter of
 * Unicode: no text has it, and templates pass it on.
 */
const mark = "\ufdd0";

/**
 * Messages in which the texts of special tokens stay text: only the chat template begins and ends turns, so that no user and no tool can
 * forge one. Turns of the assistant are unchanged, since datasets write special tokens there on purpose.
 */
export function shielded(
  messages: readonly Message[],
  { specialTokens = [] }: Pick<Tokenizer, "specialTokens">,
): readonly Message[] {
  if (specialTokens.length === 0) return messages;
  return messages.map((message) => {
    if (message.role === "assistant") return message;
    const content = shieldedText(message.content, specialTokens);
    const name = message.name === undefined ? undefined : shieldedText(message.name, specialTokens);
    if (content === message.content && name === message.name) return message;
    return { ...message, content, ...(name === undefined ? {} : { name }) };
  });
}

/** Descriptions of tools in which the texts of special tokens stay text: they may be those of a server. */
export function shieldedTools(
  tools: readonly object[] | undefined,
  { specialTokens = [] }: Pick<Tokenizer, "specialTokens">,
): readonly object[] | undefined {
  const written = JSON.stringify(tools);
  if (!specialTokens.some((token) => written?.includes(JSON.stringify(token).slice(1, -1)))) return tools;
  const within = (value: unknown): unknown => {
    if (typeof value === "string") return shieldedText(value, specialTokens);
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [shieldedText(name, specialTokens), within(member)]),
    );
  };
  return tools?.map((tool) => within(tool) as object);
}

/** The special tokens that messages must not contain: all but the placeholder of images. */
export const forgeable = (
  { specialTokens = [], textOf }: Pick<Tokenizer, "specialTokens" | "textOf">,
  placeholder?: number,
): readonly string[] =>
  placeholder === undefined ? specialTokens : specialTokens.filter((token) => token !== textOf(placeholder));

/** A text whose special tokens are marked. */
function shieldedText(text: string, specialTokens: readonly string[]): string {
  let out = text.includes(mark) ? text.replaceAll(mark, "\ufffd") : text;
  // A single character cannot be separated. Removed first: what it separated may be another special token.
  for (const token of specialTokens) if ([...token].length === 1) out = out.replaceAll(token, "");
  for (const token of specialTokens) {
    const [first, ...rest] = token;
    if (rest.length) out = out.replaceAll(token, first + mark + rest.join(""));
  }
  return out;
}

/** Encodes a rendered conversation of shielded messages, or a part of it, which follows the token `last`. */
export function encodeShielded(
  tokenizer: Pick<Tokenizer, "encode" | "bytesOf" | "textOf">,
  text: string,
  last?: number,
): number[] {
  const [first, ...rest] = text.split(mark);
  const tokens = encodeAfter(tokenizer, last, first);
  for (const part of rest)
    for (const token of encodeAfter(tokenizer, tokens.at(-1) ?? last, part)) tokens.push(token);
  return tokens;
}
