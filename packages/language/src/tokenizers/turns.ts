import { fail } from "@reins/core";
import { type RenderOptions, renderChat } from "./chat.ts";
import type { Message } from "./message.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** A part of a conversation's text, by the teacher or by others. */
export interface Piece {
  readonly by: "environment" | "teacher";
  readonly text: string;
}

/** Pieces by the template's own marks of assistant output (`{% generation %}`); undefined where it has none. */
export function byMarks(
  messages: readonly Message[],
  template: string,
  options: Pick<RenderOptions, "special" | "tools"> = {},
): readonly Piece[] | undefined {
  const tag = (name: string) => new RegExp(`\\{%(-?)\\s*${name}\\s*(-?)%\\}`, "g");
  if (!tag("generation").test(template)) return undefined;
  const [opening, closing] = unusedCharacters(template + JSON.stringify([messages, options.tools]));
  // As blocks again: whitespace around blocks is trimmed differently than around values.
  const mark = (character: string) => `{%$1 if true %}{{ '${character}' }}{% endif $2%}`;
  const marked = template
    .replace(tag("generation"), mark(opening))
    .replace(tag("endgeneration"), mark(closing));
  const text = renderChat(messages, { ...options, template: marked, reply: false });
  const pieces = text.split(opening).flatMap((part, i): Piece[] => {
    if (i === 0) return [{ by: "environment", text: part }];
    const [own, after = ""] = part.split(closing);
    return [
      { by: "teacher", text: own },
      { by: "environment", text: after },
    ];
  });
  const last = pieces.map((p) => p.by).lastIndexOf("teacher");
  return last < 0 ? undefined : pieces.slice(0, last + 1);
}

/** Two private-use characters that a text does not contain: in it, they would move the borders of turns. */
function unusedCharacters(text: string): [string, string] {
  const free: string[] = [];
  for (let code = 0xe0f0; free.length < 2; code = code === 0xf8ff ? 0xe000 : code + 1) {
    const character = String.fromCharCode(code);
    if (!text.includes(character)) free.push(character);
    else if (code === 0xe0ef)
      fail("chat template", "the conversation contains all private-use characters. Remove some.");
  }
  return [free[0], free[1]];
}

/**
 * Pieces by rendering the prefix before each assistant turn: the turn begins where the model would continue, or with
 * its content where a template ends a prompt differently or rejects the prefix. It ends
 * after its content and the special token that follows, if any. Text after the last turn is dropped.
 */
export function byPrefixes(
  messages: readonly Message[],
  render: (messages: readonly Message[], reply: boolean) => string,
  tokenizer: Tokenizer,
): readonly Piece[] {
  const text = render(messages, false);
  const pieces: Piece[] = [];
  const beginnings = beginningsOf(messages, text, render);
  let at = 0;
  messages.forEach(({ role, content, calls, apart }, i) => {
    if (role !== "assistant") return;
    const said = content.trim();
    const asked = prefix(() => render(messages.slice(0, i), true));
    const begun = beginnings?.[pieces.length / 2] ?? beginningOf(i, messages, text, render);
    const from = asked.length > at && text.startsWith(asked) ? asked.length : begun;
    const found = from < at ? -1 : text.indexOf(said, Math.max(from, begun));
    if (found < 0)
      fail(
        "chat template",
        `it drops the assistant's turn ${i + 1}, ${JSON.stringify(content.slice(0, 60))}. Pass the conversation before that turn as the prompt, and the turn as its answer.`,
      );
    const to =
      apart && calls?.length
        ? endOfCalls(text, found, i, messages, render)
        : endOfTurn(text, found + said.length, tokenizer);
    pieces.push(
      { by: "environment", text: text.slice(at, from) },
      { by: "teacher", text: text.slice(from, to) },
    );
    at = to;
  });
  return pieces;
}

/**
 * Where the content of each assistant turn begins, found in one rendering with a character before all of them; undefined if that
 * changes anything else, as where a template looks into earlier turns.
 */
function beginningsOf(
  messages: readonly Message[],
  text: string,
  render: (messages: readonly Message[], reply: boolean) => string,
): readonly number[] | undefined {
  const [mark] = unusedCharacters(text + messages.map((m) => m.content).join(""));
  const marked = prefix(() =>
    render(
      messages.map((m) => (m.role === "assistant" ? { ...m, content: mark + m.content } : m)),
      false,
    ),
  );
  const parts = marked.split(mark);
  const turns = messages.filter((m) => m.role === "assistant").length;
  if (parts.length !== turns + 1 || parts.join("") !== text) return undefined;
  let at = 0;
  return parts.slice(0, -1).map((part) => (at += part.length));
}

/**
 * Where the content of a turn begins in the rendered text, found by a character put before the content; -1 if the
 * template drops it. A search for the content alone would find the same words in an earlier turn, or in what the
 * template puts before them.
 */
function beginningOf(
  turn: number,
  messages: readonly Message[],
  text: string,
  render: (messages: readonly Message[], reply: boolean) => string,
): number {
  const [mark] = unusedCharacters(text + messages.map((m) => m.content).join(""));
  const marked = render(
    messages.map((m, i) => (i === turn ? { ...m, content: mark + m.content } : m)),
    false,
  );
  const at = marked.indexOf(mark);
  return text.startsWith(marked.slice(0, Math.max(at, 0))) ? at : -1;
}

/** The position after the calls of a turn, where the conversation up to it ends. */
function endOfCalls(
  text: string,
  from: number,
  turn: number,
  messages: readonly Message[],
  render: (messages: readonly Message[], reply: boolean) => string,
): number {
  const until = prefix(() => render(messages.slice(0, turn + 1), false)).trimEnd();
  if (until.length > from && text.startsWith(until)) return until.length;
  return fail(
    "chat template",
    `it renders the tool calls of turn ${turn + 1} differently once other turns follow. End the conversation with that turn, or write the calls into content.`,
  );
}

/** A template may reject a prefix of a conversation that it accepts as a whole. */
function prefix(render: () => string): string {
  try {
    return render();
  } catch {
    return "";
  }
}

/** The position after the special token that ends a turn, allowing blanks before it; unchanged if there is none. */
function endOfTurn(text: string, at: number, tokenizer: Tokenizer): number {
  const rest = text.slice(at, at + 64);
  const token = tokenizer.encode(rest).find((t) => tokenizer.bytesOf(t) === undefined);
  if (token === undefined) return at;
  const name = tokenizer.textOf(token);
  const where = rest.indexOf(name);
  return where >= 0 && rest.slice(0, where).trim() === "" ? at + where + name.length : at;
}
