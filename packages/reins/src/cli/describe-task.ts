import { learners } from "@reins/algorithms";
import { draw, type Family } from "@reins/language";
import type { Ink } from "../terminal/ink.ts";
import { sampleLine } from "../terminal/samples.ts";
import { counted, wrap } from "../terminal/words.ts";
import { flagLines } from "./flag-lines.ts";
import { textFlags } from "./text-flags.ts";

/** A task in words: what is asked, with a problem of each level, who learns it, and what can be set. */
export function taskLines(family: Family, ink: Ink, width = 100, name = family.id): string[] {
  const { id, about, levels, longest, listed } = family;
  const margin = 13;
  const row = (what: string, ...lines: readonly string[]) =>
    lines.map((line, i) => `${ink.dim((i === 0 ? what : "").padEnd(margin))}${line}`);
  const problems = listed
    ? listed.train.slice(0, 5)
    : Array.from({ length: levels }, (_, i) => draw(family, i + 1, "train", 0));
  const imitated = listed?.train.some((p) => p.alone || p.preferred) ?? false;
  return [
    ink.bold(id),
    ...(about ? wrap(about, width) : []),
    "",
    ...(listed
      ? row("problems", `${listed.train.length} to learn from, ${listed.test.length} to measure by`)
      : []),
    ...problems.flatMap(({ prompt, answer, level }, i) =>
      row(
        listed ? (i ? "" : "such as") : `level ${level}`,
        sampleLine({ prompt, answer, right: answer }, width - margin, ink),
      ),
    ),
    "",
    ...row("answers", `at most ${counted(longest.answer, "character")}`),
    ...(listed ? [] : row("solved", "mean score 0.95")),
    ...row("algorithms", ...wrap(imitated ? "sft" : learners("episodes").join(", "), width - margin)),
    "",
    ink.bold("Options"),
    ...flagLines(textFlags, ink, width),
    "",
    `Try: reins train ${imitated ? "sft" : "grpo"} ${name}`,
  ];
}
