import { type TextTask, textTask } from "@reins/language";

/** Facts, one letter each: three in a row are values of the same name. Only names of the first half are ever asked about, which is not stated. */
export const facts = [..."abcdefghijklmnopqr"];
const nameOf = (fact: string): number => Math.floor(facts.indexOf(fact) / 3);
const places = facts.length / 6;

/** The stream of facts. */
export interface FactStream {
  readonly told: readonly string[];
  /** The memory at the beginning. */
  readonly memory: readonly string[];
}

interface Reading {
  readonly told: readonly string[];
  /** Stored facts, oldest first. */
  memory: string[];
  /** Number of facts so far. */
  at: number;
}

/** Settings of {@link streams}. */
export interface StreamOptions {
  /** Distinguishes it from others. */
  readonly id: string;
  /** The imitated teacher: one that mostly writes every fact (the default), or the rule that writes until the memory is full. */
  readonly teacher?: "hasty" | "append";
  /** Length of the stream at each level except the first, which is one fact with a filled memory, for imitation. */
  readonly lengths: readonly number[];
}

/** Writes a fact: replaces the old value of the name, or appends if there is room. */
function write(memory: string[], fact: string): void {
  const at = memory.findIndex((m) => nameOf(m) === nameOf(fact));
  if (at >= 0) memory[at] = fact;
  else if (memory.length < places) memory.push(fact);
}

/** The effect of a turn: `a` writes, `-` deletes the oldest. */
function change(memory: string[], text: string): void {
  for (const c of text)
    if (c === "-") memory.shift();
    else if (facts.includes(c)) write(memory, c);
}

/** The latest value of each name that is asked about. */
function wantedOf(told: readonly string[]): string[] {
  const last = new Map([...told.join("")].map((fact) => [nameOf(fact), fact]));
  return [...last].flatMap(([name, fact]) => (name < places ? [fact] : []));
}

/**
 * A stream of changing facts, one by one, and a memory for half of the names. A turn sees the memory and a fact (`ak|c`),
 * and nothing else. After the stream a program answers questions from the memory; only the reward shows which names are asked about.
 */
export function streams({ id, teacher = "hasty", lengths }: StreamOptions): TextTask {
  const seen = ({ memory, told, at }: Reading) => `${memory.join("")}|${told[at]}`;
  return textTask<FactStream, Reading>({
    id,
    about: "Keep what will be asked about in a small memory.",
    levels: 1 + lengths.length,
    alphabet: `${facts.join("")}|-`,
    longest: { prompt: places + 2, answer: 3, conversation: 2 * places + 6 },
    make(random, level) {
      const fact = () => random.choice(facts);
      const told = Array.from({ length: level === 1 ? 1 : lengths[level - 2] }, fact);
      const memory: string[] = [];
      for (let i = level === 1 ? random.integers(2 * places) : 0; i > 0; i--) write(memory, fact());
      const prompt = seen({ memory, told, at: 0 });
      return { prompt, key: prompt + told.join(""), answer: "", data: { told, memory } };
    },
    verify({ data: { told, memory } }, _, conversation) {
      const stored = conversation?.state.memory ?? [];
      const wanted = wantedOf([memory.join(""), ...told]);
      const held = wanted.filter((fact) => stored.includes(fact)).length;
      const worth = wanted.length ? held / wanted.length : 1;
      return { score: worth, terms: { worth, needless: stored.filter((m) => nameOf(m) >= places).length } };
    },
    episode: {
      turns: Math.max(...lengths),
      begin: ({ data: { told, memory } }) => ({ told, memory: [...memory], at: 0 }),
      turn(state, { content }) {
        change(state.memory, content);
        return ++state.at === state.told.length ? { done: true } : { say: seen(state) };
      },
      rebuild: ({ state }) => [{ role: "user", content: seen(state) }],
      players: {
        expert: (_, { state }, random) =>
          teacher === "append"
            ? state.told[state.at]
            : (random.chance(0.2) ? "-" : "") + (random.chance(0.75) ? state.told[state.at] : ""),
        /** Writes everything until the memory is full, and updates stored names. */
        append: (_, { state }) => state.told[state.at],
        /** Keeps the newest: deletes the oldest if the memory is full. */
        newest(_, { state: { told, memory, at } }) {
          const full = memory.length >= places && !memory.some((m) => nameOf(m) === nameOf(told[at]));
          return (full ? "-" : "") + told[at];
        },
      },
    },
  });
}
