import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import type { Message } from "../tokenizers/message.ts";
import type { Example, ExampleText, PreferenceExample } from "./example.ts";
import {
  completed,
  completionOf,
  has,
  isNumber,
  isReplied,
  type Line,
  labelIn,
  listIn,
  promptOf,
  sameLength,
  splitIn,
  textIn,
} from "./fields.ts";
import { messagesIn, toolsIn } from "./messages.ts";

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
  const example = kindOf(given, at);
  refuseSystem(given, example, at);
  return {
    ...example,
    ...(tools ? { tools } : {}),
    ...(split ? { split } : {}),
  };
}

/** Refuses a system message beside the turns, which would be lost. */
function refuseSystem({ system }: Line, example: Example, at: string): void {
  if (typeof system !== "string" || system.trim() === "" || example.kind === "document") return;
  const turns = example.kind === "conversation" ? example.messages : example.prompt;
  if (typeof turns === "string" || turns[0]?.role !== "system")
    fail(
      at,
      'system is not read. Write it as the first turn: {"role": "system", "content": "…"} in messages or prompt.',
    );
}

function kindOf(line: Line, at: string): Example {
  if (has(line, "chosen") || has(line, "rejected")) return preferenceIn(line, at);
  if (has(line, "completions")) return has(line, "labels") ? stepsIn(line, at) : rankingIn(line, at);
  const field = has(line, "completion") ? "completion" : "answer";
  if (has(line, "messages") && (isReplied(line.messages) || !has(line, field))) {
    const messages = repliedTo(messagesIn(line.messages, at, "messages"), at);
    if (!has(line, "label")) return { kind: "conversation", messages };
    return labelled(line, messages.slice(0, -1), messages.slice(-1), at);
  }
  if (has(line, "prompt") || has(line, "messages")) {
    if (!has(line, field))
      fail(
        at,
        'the line has a prompt, but no completion to learn. Example: {"prompt": "2+2=", "completion": "4"}.',
      );
    const prompt = promptOf(line, at);
    return labelled(line, prompt, completionOf(line[field], prompt, at, field), at);
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

/** A completion with its label, if the line has one. */
function labelled(line: Line, prompt: ExampleText, completion: ExampleText, at: string): Example {
  if (!has(line, "label")) return { kind: "completion", prompt, completion };
  return { kind: "labelled", prompt, completion, label: labelIn(line.label, at, "label") };
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

type Pair = Pick<PreferenceExample, "prompt" | "chosen" | "rejected">;

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
  if (has(line, "margin") && !isNumber(margin))
    fail(at, `margin is ${describeValue(margin)}; it must be a number.`);
  const pair = pairIn(line, chosen, rejected, at);
  return { kind: "preference", ...pair, ...(has(line, "margin") ? { margin: margin as number } : {}) };
}

/** Fields in which other formats have the prompt. */
const otherPrompts = ["question", "instruction", "input", "query", "conversations"];

/** The prompt and both completions without it. */
function pairIn(line: Line, chosen: ExampleText, rejected: ExampleText, at: string): Pair {
  const isPrompted =
    has(line, "prompt") ||
    (has(line, "messages") && (typeof chosen === "string" || !isReplied(line.messages)));
  if (isPrompted) {
    const prompt = promptOf(line, at);
    const [better, worse] = ["chosen", "rejected"].map((f) => completionOf(line[f], prompt, at, f));
    return { prompt, chosen: better, rejected: worse };
  }
  const lost = otherPrompts.find((field) => has(line, field));
  if (lost)
    fail(at, `the line has ${lost}, which is not read beside chosen and rejected. Write "prompt" instead.`);
  const pair = withoutPrompt(chosen, rejected);
  for (const field of ["chosen", "rejected"] as const) completed(pair[field], at, field);
  return pair;
}

/** The prompt of two completions that contain it: their common beginning, up to a whole word or turn. */
function withoutPrompt(chosen: ExampleText, rejected: ExampleText): Pair {
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
  const prompt = promptOf(line, at);
  const completions = listIn(line.completions, at, "completions").map((c, i) =>
    completionOf(c, prompt, at, `completions[${i}]`),
  );
  const scores = listIn(
    line.scores,
    at,
    "scores",
    "A ranking needs scores, one for each completion; steps need labels.",
  );
  sameLength(completions, scores, at, "scores");
  const odd = scores.findIndex((s) => !isNumber(s));
  if (odd >= 0)
    fail(at, `scores[${odd}] is ${describeValue(scores[odd])}; it must be a number, at most 3.4e38.`);
  if (completions.length < 2) fail(at, "a ranking needs at least two completions.");
  if (scores.every((s) => s === scores[0]))
    fail(at, "all scores are equal, so there is nothing to learn. Remove the line.");
  return { kind: "ranking", prompt, completions, scores: scores as number[] };
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
