import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { isNumber } from "../examples/fields.ts";
import { exampleIn } from "../examples/format.ts";
import { type Message, roles, transcript } from "../tokenizers/message.ts";
import type { Problem } from "./text-task.ts";

/** A line of a dataset. Other fields are kept: judges find them in `problem.data`. */
export interface DatasetLine {
  /** The prompt: a text, or the turns of a conversation so far, which are not imitated. */
  readonly prompt?: string | readonly Message[];
  /** A conversation whose assistant turns are imitated; the last one is the answer. */
  readonly messages?: readonly Message[];
  /** The reference answer. */
  readonly answer?: string | number;
  /** The answer under TRL's name. */
  readonly completion?: string | readonly Message[];
  /** A text without a prompt: all of it is imitated. */
  readonly text?: string;
  /** The preferred of two answers, or the conversation that ends with it. */
  readonly chosen?: string | readonly Message[];
  /** The rejected one. */
  readonly rejected?: string | readonly Message[];
  /** `train`, or `test` (also `validation`, `valid`, `dev` and `eval`). */
  readonly split?: string;
  readonly [field: string]: unknown;
}

const testing = ["test", "validation", "valid", "val", "dev", "eval"];

/** The split of a line (default: training). */
export const sideOf = ({ split = "train" }: DatasetLine): "train" | "test" =>
  testing.includes(split) ? "test" : "train";

/** The problem of a line. */
export function problemIn(line: DatasetLine, at: string): Problem<DatasetLine> {
  if (typeof line !== "object" || line === null || Array.isArray(line))
    fail(at, `the line is ${describeValue(line)}; it must be an object: {"prompt": "2+2=", "answer": "4"}.`);
  const { prompt, messages, text, chosen, rejected, split } = line;
  if (line.completions !== undefined && line.scores !== undefined) return rankedIn(line, at);
  if ([prompt, messages, chosen].some(Array.isArray)) refuseTools(line.tools, at);
  if (split !== undefined && split !== "train" && !testing.includes(split))
    fail(at, `split is ${describeValue(split)}; it must be "train" or "test".`);
  refuseUndesirable(line, at);
  const given = answerIn(line.answer ?? line.completion, at, "completion");
  if (chosen !== undefined && messages === undefined && given === undefined)
    return { ...comparedIn(line, at), preferred: true };
  if (messages !== undefined) {
    const all = turnsIn(messages, at, "messages");
    const replied = all[all.length - 1].role === "assistant";
    const before = replied ? all.slice(0, -1) : all;
    if (before.length === 0) fail(at, "messages must not begin with the answer. Add a user turn before it.");
    refuseWeights(all, at);
    return {
      ...asked(before),
      taught: true,
      answer: replied ? all[all.length - 1].content : (given ?? ""),
      data: line,
      level: 1,
    };
  }
  if (prompt === undefined && text !== undefined) return textIn(text, line, at, "text");
  if (prompt === undefined)
    fail(
      at,
      rejected === undefined
        ? `the line has no prompt, messages, text or chosen; it has ${Object.keys(line).join(", ") || "no fields"}. Example: {"prompt": "2+2=", "answer": "4"}.`
        : "the line has a rejected answer but no chosen one. Add it, or use a prompt and its answer.",
    );
  return { ...promptIn(prompt, at), answer: given ?? "", data: line, level: 1 };
}

/** Tools of a conversation are not rendered: without them the model would learn calls of tools that it does not see. */
function refuseTools(tools: unknown, at: string): void {
  const given = typeof tools === "string" ? tools.trim().replace(/^(\[\s*\]|null)$/, "") : tools;
  if (Array.isArray(given) ? given.length > 0 : given)
    fail(
      at,
      "the line has tools, which are not rendered. Describe them in a system message as the model expects them, and remove the field.",
    );
}

/** Refuses completions whose label is false: as answers they would be imitated and rewarded. */
function refuseUndesirable({ label, answer, completion, messages }: DatasetLine, at: string): void {
  if ((label === false || label === 0) && answer === undefined && (completion ?? messages) !== undefined)
    fail(
      at,
      `its label is ${label}, and a completion that is not desirable would be imitated as the answer. Train on labels by kto with the model's folder (--model ./model), remove the line, or name the field answer if label is something else.`,
    );
}

/** A text without a prompt. */
function textIn(text: unknown, data: DatasetLine, at: string, field: string): Problem<DatasetLine> {
  if (typeof text !== "string" || text === "")
    return fail(at, `${field} is ${describeValue(text)}; it must be a non-empty string.`);
  return { prompt: "", alone: true, answer: text, data, level: 1 };
}

/** A prompt: a text or the turns before the answer. */
function promptIn(prompt: unknown, at: string): Pick<Problem, "prompt" | "messages"> {
  if (typeof prompt !== "string") return asked(turnsIn(prompt, at, "prompt"));
  if (prompt === "") fail(at, 'the prompt is empty. Use "text" for texts without a prompt.');
  return { prompt };
}

/** A preference: its answer is the chosen completion. */
function comparedIn(line: DatasetLine, at: string): Problem<DatasetLine> {
  const chosen = completedIn(line, "chosen", at);
  if (line.rejected === undefined) return chosen;
  const { prompt, answer } = completedIn(line, "rejected", at);
  if (prompt !== chosen.prompt)
    fail(at, "chosen and rejected must begin with the same prompt. Only their last turns may differ.");
  if (chosen.answer === answer)
    fail(at, "chosen and rejected are equal, so there is nothing to learn. Remove the line.");
  const { margin } = line;
  if (margin !== undefined && margin !== null && !isNumber(margin))
    fail(at, `margin is ${describeValue(margin)}; it must be a number.`);
  const candidates = [
    { text: chosen.answer, score: 1, ...(typeof margin === "number" ? { margin } : {}) },
    { text: answer, score: 0 },
  ];
  return { ...chosen, candidates };
}

/** A ranking: its answer is the completion with the highest score. */
function rankedIn(line: DatasetLine, at: string): Problem<DatasetLine> {
  const example = exampleIn(line, at);
  if (example.kind !== "ranking" || !example.completions.every((text) => typeof text === "string"))
    return fail(
      at,
      "the completions of a ranking must be texts here. Turns need the folder of a model: --model ./model.",
    );
  const candidates = example.completions.map((text, i) => ({
    text: text as string,
    score: example.scores[i],
  }));
  const best = candidates.reduce((a, b) => (b.score > a.score ? b : a));
  return {
    ...promptIn(line.prompt, at),
    preferred: true,
    answer: best.text,
    candidates,
    data: line,
    level: 1,
  };
}

/** One completion of a preference: an answer to its prompt, the last turn of a conversation, or a whole text. */
function completedIn(line: DatasetLine, field: "chosen" | "rejected", at: string): Problem<DatasetLine> {
  const { prompt, [field]: given } = line;
  if (prompt !== undefined)
    return { ...promptIn(prompt, at), answer: answerIn(given, at, field) ?? "", data: line, level: 1 };
  if (!Array.isArray(given)) return textIn(given, line, at, field);
  const all = turnsIn(given, at, field);
  const last = all[all.length - 1];
  if (last.role !== "assistant" || all.length === 1)
    fail(at, `the ${field} conversation must begin with a prompt and end with an assistant turn.`);
  return { ...asked(all.slice(0, -1)), answer: last.content, data: line, level: 1 };
}

/** A single question as it is, several turns as a transcript. */
const asked = (messages: readonly Message[]): Pick<Problem, "prompt" | "messages"> => ({
  prompt: messages.length === 1 ? messages[0].content : transcript(messages),
  messages,
});

function answerIn(given: unknown, at: string, field: string): string | undefined {
  if (given === undefined || given === null) return undefined;
  // JSON.parse rounds it to a double, so its last digits may differ from those in the file.
  if (typeof given === "number" && Math.abs(given) > Number.MAX_SAFE_INTEGER)
    fail(at, "the answer is a number above 2^53, which loses digits. Write it as a string.");
  if (typeof given === "string" || typeof given === "number") return String(given);
  if (!Array.isArray(given)) return fail(at, `answer is ${describeValue(given)}; it must be a string.`);
  const turns = turnsIn(given, at, field);
  if (turns.length !== 1 || turns[0].role !== "assistant")
    fail(at, `${field} must be one assistant turn. Pass several turns as messages.`);
  return turns[0].content;
}

/** Fields of turns that are not rendered: without them the model would learn another turn, often an empty one. */
const unrendered = ["tool_calls", "function_call", "reasoning_content", "reasoning", "thinking"];

/** The first of these fields that a turn has. */
const unrenderedIn = (turn: Message): string | undefined =>
  unrendered.find((name) => {
    const value = (turn as unknown as { readonly [name: string]: unknown })[name];
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  });

/** Refuses turns that are marked as not learned: all of them would be imitated. */
function refuseWeights(turns: readonly Message[], at: string): void {
  for (const turn of turns) {
    const { weight = null } = turn as { readonly weight?: unknown };
    if (turn.role === "assistant" && weight !== null && weight !== 1)
      fail(
        at,
        `an assistant turn has weight ${describeValue(weight)}, which is not supported: every assistant turn of messages is imitated. Write the turns that are not imitated as "prompt", and the last one as "answer".`,
      );
  }
}

function turnsIn(turns: unknown, at: string, field: string): readonly Message[] {
  if (!Array.isArray(turns) || turns.length === 0)
    return fail(
      at,
      `${field} is ${describeValue(turns)}; it must be an array of turns: {"role": "user", "content": "…"}.`,
    );
  for (const turn of turns as readonly Partial<Message>[]) {
    if (!roles.some((r) => r === turn?.role))
      fail(at, `the role of a turn is ${describeValue(turn?.role)}; it must be one of ${roles.join(", ")}.`);
    if (typeof turn.content !== "string")
      fail(
        at,
        `the content of a turn with role ${turn.role} is ${describeValue(turn.content)}; it must be a string.`,
      );
    const lost = unrenderedIn(turn as Message);
    if (lost)
      fail(
        at,
        `a turn with role ${turn.role} has ${lost}, which is not supported. Write it into content, as the model should spell it.`,
      );
  }
  return turns as readonly Message[];
}
