import { fail, said } from "@reins/core";
import { type Message, roles, transcript } from "../tokenizers/message.ts";
import type { Problem } from "./family.ts";

/** A line of a dataset. Other fields are kept: a judge finds them in `problem.data`. */
export interface DatasetLine {
  /** What is asked: a text, or the turns of a conversation so far, which are read and not imitated. */
  readonly prompt?: string | readonly Message[];
  /** A conversation, of which all that the assistant says is imitated; the last of it is the answer. */
  readonly messages?: readonly Message[];
  /** The right answer. */
  readonly answer?: string | number;
  /** The same as TRL calls it. */
  readonly completion?: string | readonly Message[];
  /** `train`, or `test` (`validation`, `valid`, `dev` and `eval` are the same). */
  readonly split?: string;
  readonly [field: string]: unknown;
}

const testing = ["test", "validation", "valid", "val", "dev", "eval"];

/** The side that a line says it is on; training where it does not. */
export const sideOf = ({ split = "train" }: DatasetLine): "train" | "test" =>
  testing.includes(split) ? "test" : "train";

/** The problem of a line. */
export function problemIn(line: DatasetLine, at: string): Problem<DatasetLine> {
  if (typeof line !== "object" || line === null || Array.isArray(line))
    fail(at, `it is ${said(line)}; it must be an object: {"prompt": "2+2=", "answer": "4"}.`);
  const { prompt, messages, split } = line;
  if (split !== undefined && split !== "train" && !testing.includes(split))
    fail(at, `its split is ${said(split)}; it must be "train" or "test".`);
  const given = answerIn(line, at);
  if (messages !== undefined) {
    const all = turnsIn(messages, at, "messages");
    const replied = all[all.length - 1].role === "assistant";
    const before = replied ? all.slice(0, -1) : all;
    if (before.length === 0) fail(at, "its messages begin with the answer: nobody asked.");
    return {
      ...asked(before),
      taught: true,
      answer: replied ? all[all.length - 1].content : (given ?? ""),
      data: line,
      level: 1,
    };
  }
  if (prompt === undefined)
    fail(
      at,
      `it has neither prompt nor messages; it has ${Object.keys(line).join(", ") || "nothing"}. As in {"prompt": "2+2=", "answer": "4"}.`,
    );
  if (typeof prompt !== "string")
    return { ...asked(turnsIn(prompt, at, "prompt")), answer: given ?? "", data: line, level: 1 };
  if (prompt === "") fail(at, "its prompt is empty.");
  return { prompt, answer: given ?? "", data: line, level: 1 };
}

/** A single question in its own words, several turns as a transcript. */
const asked = (messages: readonly Message[]): Pick<Problem, "prompt" | "messages"> => ({
  prompt: messages.length === 1 ? messages[0].content : transcript(messages),
  messages,
});

function answerIn({ answer, completion }: DatasetLine, at: string): string | undefined {
  const given = answer ?? completion;
  if (given === undefined || given === null) return undefined;
  if (typeof given === "string" || typeof given === "number") return String(given);
  if (!Array.isArray(given)) return fail(at, `its answer is ${said(given)}; it must be a text.`);
  const turns = turnsIn(given, at, "completion");
  if (turns.length !== 1 || turns[0].role !== "assistant")
    fail(at, "its completion must be one turn of the assistant. Give several turns as messages.");
  return turns[0].content;
}

function turnsIn(turns: unknown, at: string, field: string): readonly Message[] {
  if (!Array.isArray(turns) || turns.length === 0)
    return fail(
      at,
      `its ${field} is ${said(turns)}; it must be a list of turns: {"role": "user", "content": "…"}.`,
    );
  for (const turn of turns as readonly Partial<Message>[]) {
    if (!roles.some((r) => r === turn?.role))
      fail(at, `a turn's role is ${said(turn?.role)}; it must be one of ${roles.join(", ")}.`);
    if (typeof turn.content !== "string")
      fail(at, `the content of a turn of the ${turn.role} is ${said(turn.content)}; it must be a text.`);
  }
  return turns as readonly Message[];
}
