import { type Episode, type JudgedEpisode, ownSteps, type Run, scoreOf, type Verdict } from "@reins/core";
import type { Conversed, TextEpisode } from "@reins/language";

/** A problem in words, what was answered, and how well. */
export interface Sample {
  readonly prompt: string;
  readonly answer: string;
  /** All that the model said in a conversation, where that is more than its last turn. */
  readonly turns?: readonly string[];
  /** From 0 (wrong) to 1 (right); none where a teacher wrote it. */
  readonly score?: number;
  /** One right answer. */
  readonly right: string;
  /** What the score is made of, by name. */
  readonly terms?: Verdict["terms"];
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
  const { taught, chosen } = chosenTexts(run, count);
  return { taught, samples: chosen.map(({ judged, episode }) => sampleOf(judged, episode, taught)) };
}

/** A text and what was said of it. */
export interface JudgedText {
  readonly judged: JudgedEpisode;
  readonly episode: TextEpisode;
}

/** Texts that were chosen of a batch, and those that they were chosen from. */
export interface ChosenTexts {
  /** Whether a teacher wrote them. */
  readonly taught: boolean;
  readonly chosen: readonly JudgedText[];
  readonly all: readonly JudgedText[];
}

/** So many of the last texts, evenly from the batch: the model's own, or a teacher's where it wrote none. */
export function chosenTexts(run: Run, count: number): ChosenTexts {
  const all = (inWords(run) && run.process.inspect?.().episodes) || [];
  const texts = all.flatMap((judged) =>
    isText(judged.episode) ? [{ judged, episode: judged.episode }] : [],
  );
  const own = texts.filter(({ episode }) => episode.role !== "greedy" && ownSteps(episode) > 0);
  const taught = own.length === 0 && texts.length > 0;
  const from = taught ? texts : own;
  const some = Math.min(count, from.length);
  return {
    taught,
    chosen: Array.from({ length: some }, (_, i) => from[Math.floor((i * from.length) / some)]),
    all: from,
  };
}

const isText = (episode: Episode): episode is TextEpisode => "answered" in episode;

function sampleOf(judged: JudgedEpisode, { answered }: TextEpisode, taught: boolean): Sample {
  const { problem, text, ended } = answered;
  const answer = ended === "limit" ? `${text}…` : text;
  const { prompt, answer: right } = problem;
  const { terms } = judged.verdict;
  const turns = turnsIn(answered);
  return {
    prompt,
    answer,
    ...(turns.length > 1 ? { turns } : {}),
    right,
    ...(taught ? {} : { score: scoreOf(judged), ...(terms === undefined ? {} : { terms }) }),
  };
}

/** What the model said turn by turn; nothing where it was no conversation. */
function turnsIn(answered: TextEpisode["answered"]): string[] {
  const { messages = [], opening = 0, role }: Partial<Conversed> = answered;
  return messages
    .slice(opening)
    .flatMap(({ role: by, name, content }) => (by === "assistant" && name === role ? [content] : []));
}
