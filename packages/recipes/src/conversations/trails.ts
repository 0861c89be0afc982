import { type TextTask, textTask } from "@reins/language";

const names = [..."abcdef"];
/** Number of pages at each level. */
const lengths = [2, 3, 4, 6, 12];

/** Pages, one name each. Two of them are to be found, one of which is the last. */
export interface Trail {
  readonly pages: readonly string[];
  readonly first: number;
}

interface Following extends Trail {
  /** Number of pages read. */
  read: number;
  /** The last report. */
  report: string;
}

/** Settings of {@link trails}. */
export interface TrailOptions {
  /** Distinguishes it from others. */
  readonly id: string;
  /** Whether each turn sees only the last report and the new page (default false). */
  readonly rebuilt?: boolean;
}

const pageOf = ({ pages, first, read }: Following) =>
  `${pages[read]}${read === first || read === pages.length - 1 ? "!" : "."}`;

/**
 * Long searches: pages come one after another, `k.` or, if it is one of the two to be found, `k!`. A turn is a report: `-` while nothing is found, then
 * the first name, and then both, which is the answer and ends it. Levels have 2, 3, 4, 6 and 12 pages. The teacher adds or
 * drops a name at random in a tenth of the turns.
 */
export function trails({ id, rebuilt = false }: TrailOptions): TextTask {
  return textTask<Trail, Following>({
    id,
    about: "Read pages, and say which two names were marked.",
    levels: lengths.length,
    alphabet: `${names.join("")}-.!`,
    longest: { prompt: 3, answer: 2, conversation: 5 + 5 * Math.max(...lengths) },
    make(random, level) {
      const pages = Array.from({ length: lengths[level - 1] }, () => random.choice(names));
      const first = random.integers(pages.length - 1);
      const [prompt, answer] = [
        `-${pages[0]}${first === 0 ? "!" : "."}`,
        pages[first] + pages[pages.length - 1],
      ];
      return { prompt, key: `${pages.join("")}${first}`, answer, data: { pages, first } };
    },
    verify: ({ answer }, text, conversation) => ({
      score: text === answer ? 1 : 0,
      terms: { read: conversation?.state.read ?? 0 },
      wellFormed: text.length === 2,
    }),
    episode: {
      ...(rebuilt && {
        rebuild: ({ state }) => [{ role: "user", content: `${state.report}${pageOf(state)}` }],
      }),
      turns: Math.max(...lengths),
      begin: ({ data }) => ({ ...data, read: 0, report: "-" }),
      turn(state, { content }) {
        if (content.length !== 1 || state.read === state.pages.length - 1) return { done: true };
        state.read++;
        state.report = content;
        return { say: pageOf(state) };
      },
      players: {
        expert(_, { state }, random) {
          const { report } = state;
          const [name, mark] = pageOf(state);
          if (random.chance(0.1)) return random.choice(["-", name]);
          if (mark === ".") return report;
          return report === "-" ? name : report + name;
        },
      },
    },
  });
}

/** Common task of recipes about long searches: up to six pages are imitated, six are trained on, and twelve are also evaluated. */
export const trailTask = {
  levels: [1, 2, 3, 4],
  played: [4],
  model: { layers: 1, width: 32, imitation: 60_000 },
  options: { groups: 2, groupSize: 8, epochs: 1, clipNorm: 1 },
  score: { levels: [4, 5], problems: 60, looks: 1 },
  quick: { model: { imitation: 6000 } },
};
