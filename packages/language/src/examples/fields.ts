import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import type { Message } from "../tokenizers/message.ts";
import type { ExampleText } from "./example.ts";
import { messagesIn } from "./messages.ts";

/** A parsed line of a file. */
export type Line = { readonly [field: string]: unknown };

const testing = ["test", "validation", "valid", "val", "dev", "eval"];

/** Whether a line has a field; null is as good as none. */
export const has = (line: Line, field: string): boolean => line[field] !== undefined && line[field] !== null;

export function listIn(given: unknown, at: string, field: string, hint = ""): readonly unknown[] {
  if (Array.isArray(given) && given.length) return given;
  return fail(at, `${field} is ${describeValue(given)}; it must be a non-empty array. ${hint}`.trim());
}

export function sameLength(
  completions: readonly unknown[],
  others: readonly unknown[],
  at: string,
  field: string,
): void {
  if (completions.length !== others.length)
    fail(
      at,
      `there are ${completions.length} completions, but ${others.length} ${field}. Write one for each completion.`,
    );
}

/** true, false, 1 or 0. */
export function labelIn(given: unknown, at: string, field: string): boolean {
  if (given === true || given === 1) return true;
  if (given === false || given === 0) return false;
  return fail(at, `${field} is ${describeValue(given)}; it must be true or false.`);
}

/** Whether a field has a finite number of 32 bits, which scores are in training. */
export const isNumber = (value: unknown): boolean =>
  typeof value === "number" && Number.isFinite(Math.fround(value));

/** Whether turns end with one of the assistant. */
export const isReplied = (messages: unknown): boolean =>
  Array.isArray(messages) && messages[messages.length - 1]?.role === "assistant";

/** The prompt: the field `prompt`, or else `messages` that wait for a reply. */
export function promptOf(line: Line, at: string): ExampleText {
  const { prompt, messages } = line;
  if (!has(line, "prompt") && has(line, "messages")) {
    const turns = messagesIn(messages, at, "messages");
    if (!isReplied(turns)) return turns;
    fail(
      at,
      'messages ends with an assistant turn, so it is not a prompt. Write the turns before the completion as "prompt".',
    );
  }
  if (Array.isArray(prompt)) return messagesIn(prompt, at, "prompt");
  if (typeof prompt !== "string")
    return fail(at, `prompt is ${describeValue(prompt)}; it must be a string or an array of turns.`);
  return prompt === "" ? fail(at, 'the prompt is empty. Use "text" for texts without a prompt.') : prompt;
}

/** A completion of a prompt. Turns that repeat the prompt are removed. */
export function completionOf(given: unknown, prompt: ExampleText, at: string, field: string): ExampleText {
  const completion = textIn(given, at, field);
  if (typeof completion === "string") return completion;
  const asked = typeof prompt === "string" ? [{ role: "user", content: prompt }] : prompt;
  const repeats = asked.every((turn, i) => JSON.stringify(turn) === JSON.stringify(completion[i]));
  const own = repeats ? completion.slice(asked.length) : completion;
  const first = own[0]?.role;
  if (first === "system" || (first === "user" && asked[asked.length - 1].role === "user"))
    fail(
      at,
      `${field} begins with a turn with role ${first}, which does not follow the prompt. Write all turns before the completion as "prompt".`,
    );
  return completed(own, at, field);
}

/** A completion: a text, a number, or turns. */
export function textIn(given: unknown, at: string, field: string): ExampleText {
  if (Array.isArray(given)) return completed(messagesIn(given, at, field), at, field);
  // JSON.parse rounds it to a double, so its last digits may differ from those in the file.
  if (typeof given === "number" && Math.abs(given) > Number.MAX_SAFE_INTEGER)
    fail(at, `${field} is a number above 2^53, which loses digits. Write it as a string.`);
  if (typeof given === "number") return String(given);
  if (typeof given !== "string")
    return fail(at, `${field} is ${describeValue(given)}; it must be a string or an array of turns.`);
  return completed(given, at, field);
}

export function completed<T extends ExampleText>(text: T, at: string, field: string): T {
  if (typeof text === "string")
    return text.trim() === ""
      ? fail(at, `${field} is empty. Remove the line, or write what to learn.`)
      : text;
  const last = text[text.length - 1] as Message;
  if (last.role !== "assistant")
    fail(at, `${field} ends with a turn with role ${last.role}; it must end with an assistant turn.`);
  if (last.content.trim() === "" && !last.calls)
    fail(at, `${field} ends with an empty assistant turn. Write its content.`);
  return text;
}

export function splitIn(given: unknown, at: string): "train" | "test" | undefined {
  if (given === undefined || given === null) return undefined;
  if (given === "train") return "train";
  if (testing.includes(given as string)) return "test";
  return fail(at, `split is ${describeValue(given)}; it must be "train" or "test".`);
}
