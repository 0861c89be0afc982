import type { Episode, JudgedEpisode, Run, Verdict } from "@reins/core";
import { ownSteps, scoreOf } from "@reins/core/episodes";
import type { ConversationResult, TextEpisode } from "@reins/language";

/** A problem, a completion and its score. */
export interface Sample {
  readonly prompt: string;
  readonly answer: string;
  /** All replies of the model in a conversation of several turns. */
  readonly turns?: readonly string[];
  /** From 0 (wrong) to 1 (right); absent for a teacher's text. */
  readonly score?: number;
  /** Of a recorded completion that is compared with others: its score in the data, 1 if chosen and 0 if rejected. */
  readonly recorded?: number;
  /** A correct answer. */
  readonly right: string;
  /** Components of the score, by name. */
  readonly terms?: Verdict["terms"];
}

/** Samples from the last batch of a run. */
export interface Samples {
  /** Whether they are demonstrations of a teacher. */
  readonly taught: boolean;
  readonly samples: readonly Sample[];
}

/** Whether a run is a language run. Samples of other runs must not be requested: their episodes are large. */
export const isLanguageRun = (run: Run): boolean => run.options.env.stage !== undefined;

/** Samples of the last batch, of different problems if possible; none if episodes are not texts. */
export function samplesOf(run: Run, count = 3): Samples {
  const { taught, chosen } = chosenTexts(run, count);
  return { taught, samples: chosen.map(({ judged, episode }) => sampleOf(judged, episode, taught)) };
}

/** A text and its score. */
export interface JudgedText {
  readonly judged: JudgedEpisode;
  readonly episode: TextEpisode;
}

/** Selected texts of a batch, and all of them. */
export interface ChosenTexts {
  /** Whether they are demonstrations of a teacher. */
  readonly taught: boolean;
  readonly chosen: readonly JudgedText[];
  readonly all: readonly JudgedText[];
}

/** Selects `count` of the last texts, evenly from the batch: the model's own, or else a teacher's. */
export function chosenTexts(run: Run, count: number): ChosenTexts {
  const all = (isLanguageRun(run) && run.process.inspect?.().episodes) || [];
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

function sampleOf(
  judged: JudgedEpisode,
  { answered, score: recorded }: TextEpisode,
  taught: boolean,
): Sample {
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
    ...(recorded === undefined ? {} : { recorded }),
    ...(taught ? {} : { score: scoreOf(judged), ...(terms === undefined ? {} : { terms }) }),
  };
}

/** The model's replies turn by turn; undefined for a single answer. */
function turnsIn(answered: TextEpisode["answered"]): string[] {
  const { messages = [], opening = 0, role }: Partial<ConversationResult> = answered;
  return messages
    .slice(opening)
    .flatMap(({ role: by, name, content }) => (by === "assistant" && name === role ? [content] : []));
}
