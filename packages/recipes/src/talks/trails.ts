import { type Family, family } from "@reins/language";

const names = [..."abcdef"];
/** Pages of a search at each level. */
const lengths = [2, 3, 4, 6, 12];

/** Pages, a name each. Two of them are to be found, the last among them. */
export interface Trail {
  readonly pages: readonly string[];
  readonly first: number;
}

interface Following extends Trail {
  /** Pages that were read. */
  read: number;
  /** The report that was written last. */
  report: string;
}

/** Settings of {@link trails}. */
export interface TrailOptions {
  /** Tells it from others. */
  readonly id: string;
  /** Whether each turn sees the last report and the new page, and nothing before (default false). */
  readonly rebuilt?: boolean;
}

const pageOf = ({ pages, first, read }: Following) =>
  `${pages[read]}${read === first || read === pages.length - 1 ? "!" : "."}`;

/**
 * Long searches: pages come one after another, `k.` or, where it is one of the two that are wanted, `k!`. A turn is a report: `-` while nothing is found, then
 * the first name, and both of them, which is the answer and ends it. Levels are of 2, 3, 4, 6 and 12 pages. The one who is imitated notes or
 * forgets a name without cause in a tenth of the turns.
 */
export function trails({ id, rebuilt = false }: TrailOptions): Family {
  return family<Trail, Following>({
    id,
    about: "Read pages, and say which two names were marked.",
    levels: lengths.length,
    alphabet: `${names.join("")}-.!`,
    longest: { prompt: 3, answer: 2, talk: 5 + 5 * Math.max(...lengths) },
    turns: Math.max(...lengths),
    make(random, level) {
      const pages = Array.from({ length: lengths[level - 1] }, () => random.choice(names));
      const first = random.integers(pages.length - 1);
      const [prompt, answer] = [
        `-${pages[0]}${first === 0 ? "!" : "."}`,
        pages[first] + pages[pages.length - 1],
      ];
      return { prompt, key: `${pages.join("")}${first}`, answer, data: { pages, first } };
    },
    begin: ({ data }) => ({ ...data, read: 0, report: "-" }),
    turn(state, { content }) {
      if (content.length !== 1 || state.read === state.pages.length - 1) return { done: true };
      state.read++;
      state.report = content;
      return { say: pageOf(state) };
    },
    ...(rebuilt && {
      rebuild: ({ state }) => [{ role: "user", content: `${state.report}${pageOf(state)}` }],
    }),
    verify: ({ answer }, text, talk) => ({
      score: text === answer ? 1 : 0,
      terms: { read: talk?.state.read ?? 0 },
      formed: text.length === 2,
    }),
    players: {
      expert(_, { state }, random) {
        const { report } = state;
        const [name, mark] = pageOf(state);
        if (random.chance(0.1)) return random.choice(["-", name]);
        if (mark === ".") return report;
        return report === "-" ? name : report + name;
      },
    },
  });
}

/** What recipes about long searches share: those of up to six pages are imitated, those of six learned from, and those of twelve measured as well. */
export const trailTask = {
  levels: [1, 2, 3, 4],
  played: [4],
  model: { layers: 1, width: 32, imitation: 60_000 },
  options: { groups: 2, plays: 8, epochs: 1, clipNorm: 1 },
  score: { levels: [4, 5], problems: 60, looks: 1 },
  quick: { model: { imitation: 6000 } },
};
