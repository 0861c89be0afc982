import { type Family, family } from "@reins/language";

/** Facts, a letter each: three in a row are values of the same name. Only names of the first half are ever asked about, which nobody says. */
export const facts = [..."abcdefghijklmnopqr"];
const nameOf = (fact: string): number => Math.floor(facts.indexOf(fact) / 3);
const places = facts.length / 6;

/** What is told. */
export interface FactStream {
  readonly told: readonly string[];
  /** What is known when it begins. */
  readonly memory: readonly string[];
}

interface Reading {
  readonly told: readonly string[];
  /** What is stored, the oldest first. */
  memory: string[];
  /** Facts so far. */
  at: number;
}

/** Settings of {@link streams}. */
export interface StreamOptions {
  /** Tells it from others. */
  readonly id: string;
  /** Whose turns are imitated: one who mostly writes, whatever it is (the default), or the rule that writes until there is no more room. */
  readonly teacher?: "hasty" | "append";
  /** Facts of a stream at each level but the first, which is one fact with something in the memory already: what is to be imitated. */
  readonly lengths: readonly number[];
}

/** Writes a fact: in the place of what was known of the name, or where there is room for it. */
function write(memory: string[], fact: string): void {
  const at = memory.findIndex((m) => nameOf(m) === nameOf(fact));
  if (at >= 0) memory[at] = fact;
  else if (memory.length < places) memory.push(fact);
}

/** What a turn does: `a` writes, `-` deletes the oldest. */
function change(memory: string[], text: string): void {
  for (const c of text)
    if (c === "-") memory.shift();
    else if (facts.includes(c)) write(memory, c);
}

/** What was told last of each name that is asked about. */
function wantedOf(told: readonly string[]): string[] {
  const last = new Map([...told.join("")].map((fact) => [nameOf(fact), fact]));
  return [...last].flatMap(([name, fact]) => (name < places ? [fact] : []));
}

/**
 * A stream of facts that change, told one by one, and a memory with room for half of the names. A turn sees the memory and a fact (`ak|c`),
 * and nothing else. After the stream a program answers questions by the memory; which names are asked about shows in the reward alone.
 */
export function streams({ id, teacher = "hasty", lengths }: StreamOptions): Family {
  const seen = ({ memory, told, at }: Reading) => `${memory.join("")}|${told[at]}`;
  return family<FactStream, Reading>({
    id,
    about: "Keep what will be asked about in a small memory.",
    levels: 1 + lengths.length,
    alphabet: `${facts.join("")}|-`,
    longest: { prompt: places + 2, answer: 3, talk: 2 * places + 6 },
    turns: Math.max(...lengths),
    make(random, level) {
      const fact = () => random.choice(facts);
      const told = Array.from({ length: level === 1 ? 1 : lengths[level - 2] }, fact);
      const memory: string[] = [];
      for (let i = level === 1 ? random.integers(2 * places) : 0; i > 0; i--) write(memory, fact());
      const prompt = seen({ memory, told, at: 0 });
      return { prompt, key: prompt + told.join(""), answer: "", data: { told, memory } };
    },
    begin: ({ data: { told, memory } }) => ({ told, memory: [...memory], at: 0 }),
    turn(state, { content }) {
      change(state.memory, content);
      return ++state.at === state.told.length ? { done: true } : { say: seen(state) };
    },
    rebuild: ({ state }) => [{ role: "user", content: seen(state) }],
    verify({ data: { told, memory } }, _, talk) {
      const stored = talk?.state.memory ?? [];
      const wanted = wantedOf([memory.join(""), ...told]);
      const held = wanted.filter((fact) => stored.includes(fact)).length;
      const worth = wanted.length ? held / wanted.length : 1;
      return { score: worth, terms: { worth, needless: stored.filter((m) => nameOf(m) >= places).length } };
    },
    players: {
      expert: (_, { state }, random) =>
        teacher === "append"
          ? state.told[state.at]
          : (random.chance(0.2) ? "-" : "") + (random.chance(0.75) ? state.told[state.at] : ""),
      /** Writes everything until there is no more room, and what is new of what it has. */
      append: (_, { state }) => state.told[state.at],
      /** Keeps the newest: the oldest goes where there is no room. */
      newest(_, { state: { told, memory, at } }) {
        const full = memory.length >= places && !memory.some((m) => nameOf(m) === nameOf(told[at]));
        return (full ? "-" : "") + told[at];
      },
    },
  });
}
