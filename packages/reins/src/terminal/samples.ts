import { type JudgedEpisode, ownSteps, type Run, scoreOf } from "@reins/core";
import type { Answered } from "@reins/language";
import type { Ink } from "./ink.ts";
import { short } from "./words.ts";

/** A problem in words, what was answered, and how well. */
export interface Sample {
  readonly prompt: string;
  readonly answer: string;
  /** From 0 (wrong) to 1 (right); none where a teacher wrote it. */
  readonly score?: number;
  /** One right answer. */
  readonly right: string;
}

/** A few of a run's last answers. */
export interface Samples {
  /** Whether a teacher wrote them, to be imitated. */
  readonly taught: boolean;
  readonly samples: readonly Sample[];
}

/** Whether a run is one in words. Others are not to be asked for samples: what they would look at is large. */
export const inWords = (run: Run): boolean => run.options.env.stage !== undefined;

/** Some of the last answers, of different problems where there are several; none where episodes are no texts. */
export function samplesOf(run: Run, count = 3): Samples {
  const all = (inWords(run) && run.process.inspect?.().episodes) || [];
  const texts = all.flatMap((judged) => {
    const { info } = judged.episode;
    return isAnswered(info) ? [{ judged, answered: info }] : [];
  });
  const own = texts.filter(({ judged }) => ownSteps(judged.episode) > 0);
  const taught = own.length === 0 && texts.length > 0;
  const chosen = taught ? texts : own;
  const some = Math.min(count, chosen.length);
  const samples = Array.from({ length: some }, (_, i) => chosen[Math.floor((i * chosen.length) / some)]);
  return { taught, samples: samples.map((t) => sampleOf(t, taught)) };
}

function isAnswered(info: unknown): info is Answered {
  const { problem, text } = (info ?? {}) as Partial<Answered>;
  return typeof problem?.prompt === "string" && typeof text === "string";
}

/** An episode that is an answer in words. */
interface Text {
  readonly judged: JudgedEpisode;
  readonly answered: Answered;
}

function sampleOf({ judged, answered: { problem, text, ended } }: Text, taught: boolean): Sample {
  const answer = ended === "limit" ? `${text}…` : text;
  const { prompt, answer: right } = problem;
  return { prompt, answer, right, ...(taught ? {} : { score: scoreOf(judged) }) };
}

/** A sample in one line of at most `width` characters: problem → answer, a mark, and what would have been right. */
export function sampleLine(sample: Sample, width: number, ink: Ink): string {
  const { score } = sample;
  const solved = score === undefined || score >= 1;
  const mark = score === undefined ? "" : solved ? "  ✓" : score <= 0 ? "  ✗" : `  ${short(score)}`;
  const room = width - " → ".length - mark.length - (solved ? 0 : " ()".length);
  // The problem is what is longest and known best: it gives way first, down to a third of the line.
  const third = Math.floor(room / 3);
  const [prompt, answer, right] = [sample.prompt, sample.answer, sample.right].map(visible);
  const least = Math.min(sizeOf(prompt), third);
  const correct = solved ? "" : cut(right, Math.max(third, room - least - sizeOf(answer)));
  const given = cut(answer, Math.max(third, room - least - sizeOf(correct)));
  const problem = cut(prompt, room - sizeOf(given) - sizeOf(correct));
  const seen = ink.color(solved ? 2 : 5, mark);
  return `${ink.dim(problem)} → ${given}${seen}${solved ? "" : ink.dim(` (${correct})`)}`;
}

const sizeOf = (text: string): number => [...text].length;

/** At most `width` characters. */
const cut = (text: string, width: number): string =>
  sizeOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join("")}…`;

/** Anything that a model may write, in one line and without moving the cursor. */
const visible = (text: string): string =>
  text.trim().replace(/\r?\n/g, "⏎").replace(/\s/g, " ").replace(/\p{C}/gu, "·") || "nothing";
