import type { Sample } from "../training/samples.ts";
import { short } from "./format.ts";
import type { Ink } from "./ink.ts";

/**
 * A sample in one line of at most `width` characters: prompt → completion, a mark, and the correct answer. For a conversation, the model's
 * replies; the first ones are cut off if needed. Recorded completions are marked as chosen or rejected, or by their score.
 */
export function sampleLine(sample: Sample, width: number, ink: Ink): string {
  const { score } = sample;
  // A text without a prompt.
  if (sample.prompt === "" && score === undefined) return cut(visible(sample.answer), width);
  const solved = score === undefined || score >= 1;
  const mark =
    score === undefined ? recordedMark(sample) : solved ? "  ✓" : score <= 0 ? "  ✗" : `  ${short(score)}`;
  const room = width - " → ".length - mark.length - (solved ? 0 : " ()".length);
  // The prompt is cut first, down to a third of the line.
  const third = Math.floor(room / 3);
  const [prompt, right] = [sample.prompt, sample.right].map(visible);
  const answer = (sample.turns ?? [sample.answer]).map(visible).join(" / ");
  const least = Math.min(sizeOf(prompt), third);
  const correct = solved ? "" : cut(right, Math.max(third, room - least - sizeOf(answer)));
  const given = (sample.turns ? cutFront : cut)(answer, Math.max(third, room - least - sizeOf(correct)));
  const problem = cut(prompt, room - sizeOf(given) - sizeOf(correct));
  const seen = ink.color(solved ? 2 : 5, mark);
  return `${ink.dim(problem)} → ${given}${seen}${solved ? "" : ink.dim(` (${correct})`)}`;
}

const recordedMark = ({ recorded }: Sample): string =>
  recorded === undefined
    ? ""
    : `  ${recorded === 1 ? "chosen" : recorded === 0 ? "rejected" : short(recorded)}`;

const sizeOf = (text: string): number => [...text].length;

/** Cuts the end of a text. */
const cut = (text: string, width: number): string =>
  sizeOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join("")}…`;

/** Cuts the beginning of a text. */
const cutFront = (text: string, width: number): string =>
  sizeOf(text) <= width ? text : `…${[...text].slice(sizeOf(text) - Math.max(0, width - 1)).join("")}`;

/** Replaces line breaks and control characters. */
const visible = (text: string): string =>
  text.trim().replace(/\r?\n/g, "⏎").replace(/\s/g, " ").replace(/\p{C}/gu, "·") || "(empty)";
