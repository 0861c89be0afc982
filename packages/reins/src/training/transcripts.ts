import { makers, type Run, stepsOf, type Verdict } from "@reins/core";
import type { ConversationEpisode, Message, TextEpisode } from "@reins/language";
import type { Tensor } from "@reins/tensor";
import { entropiesOf } from "./entropies.ts";
import { chosenTexts, type JudgedText } from "./samples.ts";

/** The form of what is written. It changes where a reader must know. */
export const transcriptVersion = 1;

/** A text as it was seen and learned from, token for token. The lists are as long as each other: an entry for each step. */
export interface Transcript {
  readonly version: typeof transcriptVersion;
  readonly step: number;
  readonly task?: string;
  /** Who wrote the model's part: a teacher, where the run imitates one. */
  readonly by: "policy" | "teacher";
  readonly prompt: string;
  /** The conversation, where it is one. */
  readonly messages?: readonly Message[];
  readonly answer: string;
  readonly score?: number;
  readonly reward: number;
  readonly terms?: Verdict["terms"];
  readonly failed?: string;
  /** Stretches [from, to) of the lists in which nothing was rewritten, and after which entry of an earlier one each goes on. */
  readonly segments: readonly { from: number; to: number; parent?: { segment: number; step: number } }[];
  /** The first token, which nobody chose, and the text of each after it. */
  readonly first: string;
  readonly tokens: readonly string[];
  readonly makers: readonly string[];
  /** Turns of the model from 1; 0 for what others wrote. */
  readonly turns: readonly number[];
  /** How likely the model held what it wrote itself; null for what others wrote, a teacher too. */
  readonly logProbs: readonly (number | null)[];
  readonly rewards: readonly number[];
  /** Where it was learned from. */
  readonly advantages?: readonly number[];
  /** How undecided the model was at each step, when this was kept; where that is cheap to know. */
  readonly entropies?: readonly number[];
}

/** Transcripts of some of the last texts of a run, evenly chosen, and of other answers to the problem of the first: `most` of that. */
export function transcriptsOf(run: Run, count: number, most: number): Transcript[] {
  const { taught, chosen, all } = chosenTexts(run, count);
  const problem = chosen[0]?.episode.answered.problem.key;
  const group = all.filter((text) => text.episode.answered.problem.key === problem).slice(0, most);
  const texts = [...new Set([...group, ...chosen])];
  const { acting } = run.process;
  const entropies = acting
    ? entropiesOf(
        acting,
        texts.map(({ episode }) => episode),
      )
    : [];
  return texts.map((text, i) => transcriptOf(run, text, taught, entropies[i]));
}

function transcriptOf(
  run: Run,
  { judged, episode }: JudgedText,
  taught: boolean,
  entropies: readonly number[] | undefined,
): Transcript {
  const { verdict, reward } = judged;
  const { problem, text } = episode.answered;
  const { messages } = (episode as TextEpisode | ConversationEpisode).answered as { messages?: Message[] };
  const { columns, segments } = episode;
  const steps = stepsOf(episode);
  const by = numbers(columns.by, steps).map((m) => makers[m]);
  const spell = run.options.env.stage?.spell ?? String;
  const { observation } = columns;
  const seen = (observation as { token?: Tensor }).token ?? (observation as Tensor);
  const advantage = run.process.inspect?.().advantageOf?.(episode);
  return {
    version: transcriptVersion,
    step: run.steps,
    task: episode.task,
    by: taught ? "teacher" : "policy",
    prompt: problem.prompt,
    ...(messages ? { messages } : {}),
    answer: text,
    ...(verdict.score === undefined ? {} : { score: verdict.score }),
    reward,
    ...(verdict.terms === undefined ? {} : { terms: verdict.terms }),
    ...(verdict.failed === undefined ? {} : { failed: verdict.failed }),
    segments: segments.map(({ from, to, parent }) => ({ from, to, ...(parent ? { parent } : {}) })),
    first: spell(seen.data[0]),
    tokens: numbers(columns.action, steps).map(spell),
    makers: by,
    turns: numbers(columns.turn, steps),
    logProbs: numbers(columns.logProb, steps).map((p, i) => (isWritten(by[i]) ? brief(p) : null)),
    rewards: verdict.steps ? Array.from(verdict.steps, brief) : atEnd(by, reward),
    ...(advantage ? { advantages: Array.from(advantage, brief) } : {}),
    ...(entropies ? { entropies: entropies.map(brief) } : {}),
  };
}

/** The numbers of a column; zeros where there is none. */
const numbers = (column: unknown, steps: number): number[] => [
  ...((column as Tensor | undefined)?.data ?? new Uint8Array(steps)),
];

/** Whether the model wrote it itself: a teacher's words were never drawn, and have no probability. */
const isWritten = (maker: string) => maker === "policy" || maker === "greedy";

/** What was paid for the whole, at the last token that the model or its teacher wrote. */
function atEnd(by: readonly string[], reward: number): number[] {
  const out = new Array<number>(by.length).fill(0);
  const last = by.map((m) => isWritten(m) || m === "teacher").lastIndexOf(true);
  if (last >= 0) out[last] = reward;
  return out;
}

/** Six digits are enough to look at. */
const brief = (x: number): number => Number(x.toPrecision(6));
