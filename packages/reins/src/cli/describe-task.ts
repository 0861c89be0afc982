import { learnerNames } from "@reins/algorithms";
import {
  conversationLines,
  episodeOf,
  isMultiTurn,
  sampleProblem,
  type TextTask,
  transcript,
} from "@reins/language";
import { counted, wrap } from "../terminal/format.ts";
import type { Ink } from "../terminal/ink.ts";
import { sampleLine } from "../terminal/samples.ts";
import { flagLines } from "./flag-lines.ts";
import { textFlags } from "./text-flags.ts";

/** Describes a language task: a problem of each level, the algorithms that learn it, and its options. */
export async function taskLines(task: TextTask, ink: Ink, width = 100, name = task.id): Promise<string[]> {
  const { id, about, levels, longest, listed } = task;
  const { tools, players } = episodeOf(task);
  const margin = 13;
  const row = (what: string, ...lines: readonly string[]) =>
    lines.map((line, i) => `${ink.dim((i === 0 ? what : "").padEnd(margin))}${line}`);
  const problems = listed
    ? listed.train.slice(0, 5)
    : Array.from({ length: levels }, (_, i) => sampleProblem(task, i + 1, "train", 0));
  const imitated = listed?.train.some((p) => p.alone || p.preferred) ?? false;
  return [
    ink.bold(id),
    ...(about ? wrap(about, width) : []),
    "",
    ...(listed ? row("problems", `${listed.train.length} for training, ${listed.test.length} held out`) : []),
    ...problems.flatMap(({ prompt, answer, level }, i) =>
      row(
        listed ? (i ? "" : "examples") : `level ${level}`,
        sampleLine({ prompt, answer, right: answer }, width - margin, ink),
      ),
    ),
    "",
    ...row(
      isMultiTurn(task) ? "turns" : "completions",
      `${turnsOf(task)}at most ${counted(longest.answer, "character")}`,
    ),
    ...row("tools", ...tools.map((t) => `${t.name}: ${t.about}`)),
    ...row("players", ...(Object.keys(players).length ? [Object.keys(players).join(", ")] : [])),
    ...row("example", ...(await expertLines(task))),
    ...(listed ? [] : row("solved", "mean score 0.95")),
    ...row("algorithms", ...wrap(imitated ? "sft" : learnerNames("episodes").join(", "), width - margin)),
    "",
    ink.bold("Options"),
    ...flagLines(textFlags, ink, width),
    "",
    `Try: reins train ${imitated ? "sft" : "grpo"} ${name}`,
  ];
}

const turnsOf = (task: TextTask): string =>
  isMultiTurn(task) ? `at most ${episodeOf(task).turns}, each ` : "";

/** A conversation of the task's expert on one problem, or the error that it failed with. */
async function expertLines(task: TextTask): Promise<string[]> {
  const { agent, players } = episodeOf(task);
  if (!isMultiTurn(task) || agent || !players.expert) return [];
  try {
    for await (const { messages, score } of conversationLines({ task, level: 1, count: 1 }))
      return [...transcript({ messages, opening: 0 }).split("\n"), `score ${score}`];
  } catch (error) {
    return [`The expert failed: ${(error as Error).message}`];
  }
  return [];
}
