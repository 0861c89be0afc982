import { type Family, family } from "@reins/language";

const names = [..."abcdef"];
const [useful, misleading] = ["mn", "qr"].map((letters) => [...letters]);
/** Documents that can be found at most, and how many of them are useful. */
const most = 4;
const share = 0.4;

/** What can be found, one after another: who says it, and a name. */
export interface Documents {
  readonly truth: string;
  readonly found: readonly string[];
}

interface Searching extends Documents {
  /** Documents that were found so far, and whether the last was judged to be good. */
  at: number;
  kept: boolean;
}

/** Settings of {@link sources}. */
export interface SourcesOptions {
  /** Tells it from others. */
  readonly id: string;
  /** Whether each document is judged: `+` keeps it, to answer by it, `-` drops it, and the next is found (default false). */
  readonly judged?: boolean;
  /** What a judgement earns that is right, and loses that is wrong (default 0). */
  readonly instructive?: number;
}

const isUseful = ({ found, at }: Searching) => useful.includes(found[at - 1][0]);

/**
 * What is searched for is a name, and what is found, `ma`, is who says it and a name. Some always know and some never do: which, shows in the reward alone.
 * A turn answers with a name, or searches again (`?`); with judgements it is `+` or `-`, and an answer after `+`.
 */
export function sources({ id, judged = false, instructive = 0 }: SourcesOptions): Family {
  return family<Documents, Searching>({
    id,
    about: "Search until somebody says it who knows.",
    levels: 1,
    alphabet: `${names.join("")}${useful.join("")}${misleading.join("")}?+-=`,
    longest: { prompt: 2, answer: 1, talk: 6 * most },
    turns: most + 2,
    make(random) {
      const truth = random.choice(names);
      const others = names.filter((name) => name !== truth);
      const found = Array.from({ length: most }, () =>
        random.chance(share)
          ? random.choice(useful) + truth
          : random.choice(misleading) + random.choice(others),
      );
      return { prompt: found[0], key: found.join(""), answer: truth, data: { truth, found } };
    },
    begin: ({ data }) => ({ ...data, at: 1, kept: false }),
    turn(state, { content }) {
      if (judged && content === "+" && !state.kept) {
        state.kept = true;
        return { say: "=" };
      }
      if (content !== (judged ? "-" : "?") || state.kept || state.at === most) return { done: true };
      return { say: state.found[state.at++] };
    },
    ...(judged && {
      // What was judged to be bad is seen no more; what is good is what the answer sees.
      rebuild: ({ state: { kept, found, at } }) => [
        { role: "user", content: `${kept ? "=" : ""}${found[at - 1]}` },
      ],
      pay({ state, turns }, { content }) {
        if (!(content === "+" || content === "-") || turns > state.at) return 0;
        // What a new search has found is not what was judged.
        const one = { ...state, at: turns };
        return (content === "+") === isUseful(one) ? instructive : -instructive;
      },
    }),
    verify({ answer }, text, talk) {
      const { state } = talk ?? {};
      const right = text === answer;
      const faithful = right && state !== undefined && isUseful(state);
      return {
        score: right ? 1 : 0,
        terms: { faithful: faithful ? 1 : 0, searches: state?.at ?? 1 },
        formed: names.includes(text),
      };
    },
    players: {
      expert(_, { state: { found, at, kept } }, random) {
        const again = at < most && random.chance(0.5);
        if (judged && !kept) return again ? "-" : "+";
        return again && !judged ? "?" : found[at - 1][1];
      },
    },
  });
}

/** What sides that search among {@link sources} share. */
export const sourcesTask = {
  levels: [1],
  model: { layers: 1, width: 32, imitation: 40_000 },
  options: { groups: 4, plays: 8, epochs: 1, clipNorm: 1, credit: "turn" },
  score: { problems: 200, looks: 1 },
  quick: { model: { imitation: 6000 } },
};
