import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import type { Message } from "../tokenizers/message.ts";
import type { Example, ExampleText, PreferenceExample } from "./example.ts";
import { messagesIn, toolsIn } from "./messages.ts";

type Line = { readonly [field: string]: unknown };

const testing = ["test", "validation", "valid", "val", "dev", "eval"];

/** The example of a parsed line. Its fields decide its kind; `at` names the line in errors. */
export function exampleIn(line: unknown, at: string): Example {
  if (typeof line !== "object" || line === null || Array.isArray(line))
    return fail(
      at,
      `the line is ${describeValue(line)}; it must be an object: {"prompt": "2+2=", "completion": "4"}.`,
    );
  const given = line as Line;
  const tools = toolsIn(given.tools, at);
  const split = splitIn(given.split, at);
  return {
    ...kindOf(given, at),
    ...(tools ? { tools } : {}),
    ...(split ? { split } : {}),
  };
}

const has = (line: Line, field: string): boolean => line[field] !== undefined && line[field] !== null;

function kindOf(line: Line, at: string): Example {
  if (has(line, "chosen") || has(line, "rejected")) return preferenceIn(line, at);
  if (has(line, "completions")) return has(line, "labels") ? stepsIn(line, at) : rankingIn(line, at);
  const completion = has(line, "completion") ? "completion" : "answer";
  if (has(line, "messages")) {
    const messages = messagesIn(line.messages, at, "messages");
    if (has(line, completion) && messages.at(-1)?.role !== "assistant")
      return { kind: "completion", prompt: messages, completion: textIn(line[completion], at, completion) };
    return { kind: "conversation", messages: repliedTo(messages, at) };
  }
  if (has(line, "prompt")) {
    if (!has(line, completion))
      fail(
        at,
        'the line has a prompt, but no completion to learn. Example: {"prompt": "2+2=", "completion": "4"}.',
      );
    const pair = { prompt: promptOf(line, at), completion: textIn(line[completion], at, completion) };
    if (!has(line, "label")) return { kind: "completion", ...pair };
    return { kind: "labelled", ...pair, label: labelIn(line.label, at, "label") };
  }
  if (has(line, "text")) {
    const { text } = line;
    if (typeof text !== "string") return fail(at, `text is ${describeValue(text)}; it must be a string.`);
    return text.trim() === "" ? fail(at, "text is empty. Remove the line.") : { kind: "document", text };
  }
  return fail(
    at,
    `the line has ${Object.keys(line).join(", ") || "no fields"}, which are not a format of an example. ${hintFor(line)}`,
  );
}

/** What to write instead of the fields of other formats. */
function hintFor(line: Line): string {
  if (has(line, "conversations"))
    return 'Write "messages" with role and content instead of "conversations" with from and value.';
  if (has(line, "instruction") || has(line, "output"))
    return 'Write "prompt" instead of "instruction" and "input", and "completion" instead of "output".';
  if (has(line, "question") || has(line, "response")) return 'Write "prompt" and "completion" instead.';
  return 'Formats: {"text"}, {"messages"}, {"prompt", "completion"}, {"prompt", "chosen", "rejected"}, {"prompt", "completions", "scores"}, {"prompt", "completion", "label"}, {"prompt", "completions", "labels"}.';
}

/** A conversation up to its last assistant turn: later turns have nothing to learn. */
function repliedTo(messages: readonly Message[], at: string): readonly Message[] {
  const last = messages.map((m) => m.role).lastIndexOf("assistant");
  if (last < 0) fail(at, "messages has no assistant turn to learn. Add one.");
  if (last === 0) fail(at, "messages must not begin with the answer. Add a user turn before it.");
  const empty = messages.findIndex((m) => m.role === "assistant" && m.content.trim() === "" && !m.calls);
  if (empty >= 0)
    fail(at, `messages[${empty}], an assistant turn, is empty. Remove it, or write its content.`);
  return messages.slice(0, last + 1);
}

function preferenceIn(line: Line, at: string): PreferenceExample {
  for (const field of ["chosen", "rejected"])
    if (!has(line, field))
      fail(at, `the line has no ${field}. A preference has two completions: chosen and rejected.`);
  const [chosen, rejected] = ["chosen", "rejected"].map((field) => textIn(line[field], at, field));
  if (typeof chosen !== typeof rejected)
    fail(at, "one of chosen and rejected is a text, the other a conversation. Use one form for both.");
  if (JSON.stringify(chosen) === JSON.stringify(rejected))
    fail(at, "chosen and rejected are equal, so there is nothing to learn. Remove the line.");
  const { margin } = line;
  if (has(line, "margin") && !Number.isFinite(margin))
    fail(at, `margin is ${describeValue(margin)}; it must be a number.`);
  const pair = has(line, "prompt")
    ? { prompt: promptOf(line, at), chosen, rejected }
    : withoutPrompt(chosen, rejected);
  for (const field of ["chosen", "rejected"] as const) completed(pair[field], at, field);
  return { kind: "preference", ...pair, ...(has(line, "margin") ? { margin: margin as number } : {}) };
}

/** The prompt of two completions that contain it: their common beginning, up to a whole word or turn. */
function withoutPrompt(
  chosen: ExampleText,
  rejected: ExampleText,
): Pick<PreferenceExample, "prompt" | "chosen" | "rejected"> {
  const isText = typeof chosen === "string";
  const same = (i: number) =>
    isText ? chosen[i] === rejected[i] : JSON.stringify(chosen[i]) === JSON.stringify(rejected[i]);
  // A completion has at least one character or turn, and begins with a whole word.
  const most = Math.min(chosen.length, rejected.length) - 1;
  let at = 0;
  while (at < most && same(at)) at++;
  if (isText) while (at > 0 && !/\s/.test(chosen[at - 1])) at--;
  return { prompt: chosen.slice(0, at), chosen: chosen.slice(at), rejected: rejected.slice(at) };
}

function rankingIn(line: Line, at: string): Example {
  const completions = listIn(line.completions, at, "completions").map((c, i) =>
    textIn(c, at, `completions[${i}]`),
  );
  const scores = listIn(
    line.scores,
    at,
    "scores",
    "A ranking needs scores, one for each completion; steps need labels.",
  );
  sameLength(completions, scores, at, "scores");
  const odd = scores.findIndex((s) => !Number.isFinite(s));
  if (odd >= 0) fail(at, `scores[${odd}] is ${describeValue(scores[odd])}; it must be a number.`);
  if (completions.length < 2) fail(at, "a ranking needs at least two completions.");
  if (scores.every((s) => s === scores[0]))
    fail(at, "all scores are equal, so there is nothing to learn. Remove the line.");
  return { kind: "ranking", prompt: promptOf(line, at), completions, scores: scores as number[] };
}

function stepsIn(line: Line, at: string): Example {
  const steps = listIn(line.completions, at, "completions");
  const odd = steps.findIndex((s) => typeof s !== "string" || s.trim() === "");
  if (odd >= 0)
    fail(at, `completions[${odd}] is ${describeValue(steps[odd])}; it must be the text of a step.`);
  const labels = listIn(line.labels, at, "labels").map((l, i) => labelIn(l, at, `labels[${i}]`));
  sameLength(steps, labels, at, "labels");
  return { kind: "steps", prompt: promptOf(line, at), steps: steps as string[], labels };
}

function listIn(given: unknown, at: string, field: string, hint = ""): readonly unknown[] {
  if (Array.isArray(given) && given.length) return given;
  return fail(at, `${field} is ${describeValue(given)}; it must be a non-empty array. ${hint}`.trim());
}

function sameLength(
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
function labelIn(given: unknown, at: string, field: string): boolean {
  if (given === true || given === 1) return true;
  if (given === false || given === 0) return false;
  return fail(at, `${field} is ${describeValue(given)}; it must be true or false.`);
}

function promptOf({ prompt }: Line, at: string): ExampleText {
  if (Array.isArray(prompt)) return messagesIn(prompt, at, "prompt");
  if (typeof prompt !== "string")
    return fail(at, `prompt is ${describeValue(prompt)}; it must be a string or an array of turns.`);
  return prompt === "" ? fail(at, 'the prompt is empty. Use "text" for texts without a prompt.') : prompt;
}

/** A completion: a text, a number, or turns. */
function textIn(given: unknown, at: string, field: string): ExampleText {
  if (Array.isArray(given)) return completed(messagesIn(given, at, field), at, field);
  // JSON.parse rounds it to a double, so its last digits may differ from those in the file.
  if (typeof given === "number" && Math.abs(given) > Number.MAX_SAFE_INTEGER)
    fail(at, `${field} is a number above 2^53, which loses digits. Write it as a string.`);
  if (typeof given === "number") return String(given);
  if (typeof given !== "string")
    return fail(at, `${field} is ${describeValue(given)}; it must be a string or an array of turns.`);
  return completed(given, at, field);
}

function completed<T extends ExampleText>(text: T, at: string, field: string): T {
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

function splitIn(given: unknown, at: string): "train" | "test" | undefined {
  if (given === undefined || given === null) return undefined;
  if (given === "train") return "train";
  if (testing.includes(given as string)) return "test";
  return fail(at, `split is ${describeValue(given)}; it must be "train" or "test".`);
}
