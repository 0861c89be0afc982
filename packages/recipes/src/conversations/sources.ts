import { type TextTask, textTask } from "@reins/language";

const names = [..."abcdef"];
const [useful, misleading] = ["mn", "qr"].map((letters) => [...letters]);
/** Maximum number of documents, and the number of useful ones. */
const most = 6;
const share = 0.4;
/** How often the teacher misjudges a document. */
const errs = 0.4;

/** The documents in order of retrieval: a source and a name each. */
export interface Documents {
  readonly truth: string;
  readonly found: readonly string[];
}

interface Searching extends Documents {
  /** Number of retrieved documents. */
  at: number;
}

/** Settings of {@link sources}. */
export interface SourcesOptions {
  /** Distinguishes it from others. */
  readonly id: string;
  /** Whether each document is judged: `+a` answers with it, `-` drops it and retrieves the next (default false). */
  readonly judged?: boolean;
  /** Reward of a correct judgement, and penalty of a wrong one (default 0). */
  readonly instructive?: number;
}

const isUseful = ({ found, at }: Searching) => useful.includes(found[at - 1][0]);

/**
 * The goal is to find a name. A document, `ma`, is a source and a name. Some sources are always correct and others random: which ones, only the reward shows.
 * A turn answers with a name, or searches again (`?`). With judgements it states whether the document is good, and answers with it if so.
 */
export function sources({ id, judged = false, instructive = 0 }: SourcesOptions): TextTask {
  const [answered, again] = judged ? ["+", "-"] : ["", "?"];
  return textTask<Documents, Searching>({
    id,
    about: "Search until a reliable source gives the name.",
    levels: 1,
    alphabet: `${names.join("")}${useful.join("")}${misleading.join("")}?+-`,
    longest: { prompt: 2, answer: 1 + answered.length, conversation: 6 * most },
    make(random) {
      const truth = random.choice(names);
      const found = Array.from({ length: most }, () =>
        random.chance(share)
          ? random.choice(useful) + truth
          : random.choice(misleading) + random.choice(names),
      );
      const key = `${found.join("")}${truth}`;
      return { prompt: found[0], key, answer: `${answered}${truth}`, data: { truth, found } };
    },
    verify({ answer }, text, conversation) {
      const { state } = conversation ?? {};
      const right = text === answer;
      return {
        score: right ? 1 : 0,
        terms: { faithful: right && state && isUseful(state) ? 1 : 0, searches: state?.at ?? 1 },
        wellFormed: text.startsWith(answered) && names.includes(text.slice(answered.length)),
      };
    },
    episode: {
      // Documents judged as bad are removed from the context.
      ...(judged && {
        rebuild: ({ state: { found, at } }) => [{ role: "user", content: found[at - 1] }],
      }),
      turns: most,
      begin: ({ data }) => ({ ...data, at: 1 }),
      turn(state, { content }) {
        const right = isUseful(state) === (content !== again);
        const isJudged = judged && (content === again || content.startsWith(answered));
        const reward = isJudged ? (right ? instructive : -instructive) : 0;
        if (content !== again || state.at === most) return { done: true, reward };
        return { say: state.found[state.at++], reward };
      },
      players: {
        expert(_, { state }, random) {
          const { found, at } = state;
          const searches = at < most && random.chance(isUseful(state) ? errs : 1 - errs);
          return searches ? again : `${answered}${found[at - 1][1]}`;
        },
      },
    },
  });
}

/** Common options of arms that search among {@link sources}. Batches are small, so that the last one stays within the budget. */
export const sourcesTask = {
  levels: [1],
  model: { layers: 1, width: 32, imitation: 60_000 },
  options: { groups: 4, groupSize: 8, epochs: 1, clipNorm: 1 },
  score: { problems: 200, looks: 1 },
  quick: { model: { imitation: 6000 } },
};
