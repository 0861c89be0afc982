import { type Family, family } from "@reins/language";

const names = [..."abcdef"];
const [useful, misleading] = ["mn", "qr"].map((letters) => [...letters]);
/** Documents that can be found at most, and how many of them are useful. */
const most = 6;
const share = 0.4;
/** How often the one who is imitated takes a document for what it is not. */
const errs = 0.4;

/** What can be found, one after another: who says it, and a name. */
export interface Documents {
  readonly truth: string;
  readonly found: readonly string[];
}

interface Searching extends Documents {
  /** Documents that were found so far. */
  at: number;
}

/** Settings of {@link sources}. */
export interface SourcesOptions {
  /** Tells it from others. */
  readonly id: string;
  /** Whether each document is judged: `+a` answers by it, `-` drops it, and the next is found (default false). */
  readonly judged?: boolean;
  /** What a judgement earns that is right, and loses that is wrong (default 0). */
  readonly instructive?: number;
}

const isUseful = ({ found, at }: Searching) => useful.includes(found[at - 1][0]);

/**
 * What is searched for is a name, and what is found, `ma`, is who says it and a name. Some always know it and some name anything: which do, shows in the reward alone.
 * A turn answers with a name, or searches again (`?`). With judgements it says whether the document is good, and answers by it if so.
 */
export function sources({ id, judged = false, instructive = 0 }: SourcesOptions): Family {
  const [answered, again] = judged ? ["+", "-"] : ["", "?"];
  return family<Documents, Searching>({
    id,
    about: "Search until somebody says it who knows.",
    levels: 1,
    alphabet: `${names.join("")}${useful.join("")}${misleading.join("")}?+-`,
    longest: { prompt: 2, answer: 1 + answered.length, talk: 6 * most },
    turns: most,
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
    begin: ({ data }) => ({ ...data, at: 1 }),
    turn(state, { content }) {
      const right = isUseful(state) === (content !== again);
      const isJudged = judged && (content === again || content.startsWith(answered));
      const reward = isJudged ? (right ? instructive : -instructive) : 0;
      if (content !== again || state.at === most) return { done: true, reward };
      return { say: state.found[state.at++], reward };
    },
    // What was judged to be bad is seen no more.
    ...(judged && {
      rebuild: ({ state: { found, at } }) => [{ role: "user", content: found[at - 1] }],
    }),
    verify({ answer }, text, talk) {
      const { state } = talk ?? {};
      const right = text === answer;
      return {
        score: right ? 1 : 0,
        terms: { faithful: right && state && isUseful(state) ? 1 : 0, searches: state?.at ?? 1 },
        formed: text.startsWith(answered) && names.includes(text.slice(answered.length)),
      };
    },
    players: {
      expert(_, { state }, random) {
        const { found, at } = state;
        const searches = at < most && random.chance(isUseful(state) ? errs : 1 - errs);
        return searches ? again : `${answered}${found[at - 1][1]}`;
      },
    },
  });
}

/** What sides that search among {@link sources} share. Batches are small, so that the last one keeps to the budget. */
export const sourcesTask = {
  levels: [1],
  model: { layers: 1, width: 32, imitation: 60_000 },
  options: { groups: 4, plays: 8, epochs: 1, clipNorm: 1 },
  score: { problems: 200, looks: 1 },
  quick: { model: { imitation: 6000 } },
};
