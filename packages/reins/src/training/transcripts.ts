import type { Run, Verdict } from "@reins/core";
import { stepsOf } from "@reins/core/episodes";
import type { Message } from "@reins/language";
import type { Tensor } from "@reins/tensor";
import { entropiesOf } from "./entropies.ts";
import { chosenTexts, type JudgedText } from "./samples.ts";
import { brief, largestIn, listsOf, numbers, type TokenLists } from "./token-lists.ts";
import { conversedOf, type Reply, repliesIn } from "./transcript-replies.ts";

/** Version of the format. It rises with incompatible changes; fields may be added without. */
export const transcriptVersion = 1;

/** A text token by token, as it was seen and trained on. The lists have the same length: an entry per step. */
export interface Transcript extends TokenLists {
  readonly version: typeof transcriptVersion;
  readonly step: number;
  /** Key of its problem. Transcripts with the same key at the same step are samples of one group. */
  readonly key?: string;
  readonly task?: string;
  /** The role whose view this is, if it is not the model's own. */
  readonly role?: string;
  /** Author of the model's part: a teacher, if the run imitates one. */
  readonly by: "policy" | "teacher";
  readonly prompt: string;
  /** The conversation, if it is one. */
  readonly messages?: readonly Message[];
  /** Replies of all roles among the messages. */
  readonly replies?: readonly Reply[];
  readonly answer: string;
  readonly score?: number;
  readonly reward: number;
  readonly terms?: Verdict["terms"];
  readonly failed?: string;
  /** Segments [from, to) of the lists in which the context only grew, and the entry of an earlier segment that each continues from. */
  readonly segments: readonly { from: number; to: number; parent?: { segment: number; step: number } }[];
  /** The first token, which was not sampled, and the text of each token after it. */
  readonly first: string;
  readonly tokens: readonly string[];
  /** Largest magnitude of an advantage in the batch. */
  readonly largestAdvantage?: number;
  /** Entropy of the policy at each step when written, if it is cheap to compute. */
  readonly entropies?: readonly number[];
}

/** Transcripts of `count` of the last texts of a run, evenly chosen, and of up to `most` other samples of the first problem. */
export function transcriptsOf(run: Run, count: number, most: number): Transcript[] {
  const { taught, chosen, all } = chosenTexts(run, count);
  const first = chosen[0] && keyOf(chosen[0]);
  const group = all.filter((text) => keyOf(text) === first).slice(0, most);
  const texts = [...new Set([...group, ...chosen])];
  const { acting } = run.process;
  const entropies = acting
    ? entropiesOf(
        acting,
        texts.map(({ episode }) => episode),
      )
    : [];
  const advantageOf = run.process.inspect?.().advantageOf;
  const listed = new Map(all.map((text) => [text, listsOf(text, advantageOf?.(text.episode))]));
  const largest = largestIn([...listed.values()]);
  return texts.map((text, i) => ({
    ...transcriptOf(run, text, taught, listed.get(text)!),
    ...repliesIn(text, all, listed),
    ...(largest === undefined ? {} : { largestAdvantage: brief(largest) }),
    ...(entropies[i] ? { entropies: entropies[i].map(brief) } : {}),
  }));
}

const keyOf = ({ episode }: JudgedText): string => {
  const { key, prompt } = episode.answered.problem;
  return key ?? prompt;
};

function transcriptOf(run: Run, text: JudgedText, taught: boolean, lists: TokenLists): Transcript {
  const { verdict, reward } = text.judged;
  const { episode } = text;
  const { problem, text: answer } = episode.answered;
  const { messages, role } = conversedOf(text);
  const { columns, segments } = episode;
  const spell = run.options.env.stage?.decodeToken ?? String;
  const { observation } = columns;
  const seen = (observation as { token?: Tensor }).token ?? (observation as Tensor);
  return {
    version: transcriptVersion,
    step: run.steps,
    key: keyOf(text),
    task: episode.task,
    ...(role === undefined ? {} : { role }),
    by: taught ? "teacher" : "policy",
    prompt: problem.prompt,
    ...(messages ? { messages } : {}),
    answer,
    ...(verdict.score === undefined ? {} : { score: verdict.score }),
    reward,
    ...(verdict.terms === undefined ? {} : { terms: verdict.terms }),
    ...(verdict.failed === undefined ? {} : { failed: verdict.failed }),
    segments: segments.map(({ from, to, parent }) => ({ from, to, ...(parent ? { parent } : {}) })),
    first: spell(seen.data[0]),
    tokens: numbers(columns.action, stepsOf(episode)).map(spell),
    ...lists,
  };
}
