import type { Generator } from "@reins/core/random";
import { between, some } from "../../tasks/random.ts";
import { textTask } from "../../tasks/text-task.ts";

const names = "abcdef";

/** Number of names, capacity of the memory, whether the beginning lists the names that matter, and number of turns. */
const sizes = [
  [3, 1, true, 6],
  [4, 2, true, 8],
  [6, 2, true, 10],
  [6, 2, false, 10],
  [6, 3, false, 14],
] as const;

interface Stream {
  /** The event of each turn: `a=3` states a fact, `a?` is a question. */
  readonly events: readonly string[];
  /** The names that questions are about. As many fit into the memory. */
  readonly wanted: string;
}

interface Remembering extends Stream {
  /** The facts so far. */
  readonly facts: Record<string, string>;
  /** The memory: names, each with its digit, or - where it is unknown. */
  line: string;
  /** Events so far. */
  at: number;
  right: number;
  asked: number;
}

/** The part of a text that fits into the memory: the first pairs of a name and a digit or -. */
const kept = (text: string, places: number): string =>
  [...text.matchAll(/[a-f][0-9-]/g)]
    .slice(0, places)
    .map(([pair]) => pair)
    .join("");

/** The memory's value of a name. */
const said = (line: string, name: string): string | undefined =>
  [...line.matchAll(/([a-f])(.)/g)].find(([, n]) => n === name)?.[2];

/** The memory with a value appended; the oldest entries are dropped where there is no room. */
function put(line: string, name: string, value: string, places: number): string {
  const pairs = [...line.matchAll(/[a-f]./g)].map(([pair]) => pair);
  const at = pairs.findIndex(([n]) => n === name);
  if (at >= 0) pairs[at] = name + value;
  else pairs.push(name + value);
  return pairs.slice(-places).join("");
}

/**
 * Facts and questions. Questions about the names that matter come before any facts, unless the beginning lists the
 * names. Most questions are about the oldest facts: recent ones are easy.
 */
function eventsOf(random: Generator, used: string, wanted: string, named: boolean, count: number): string[] {
  const events = named ? [] : [...wanted].map((name) => `${name}?`);
  const others = [...used].filter((name) => !wanted.includes(name));
  // In the order of their last fact.
  const facts = new Map<string, number>();
  while (events.length < count) {
    const known = [...facts.keys()].filter((name) => wanted.includes(name) && events.at(-1) !== `${name}?`);
    const last = events.length === count - 1;
    if (known.length && (last || random.chance(0.35))) {
      events.push(`${random.chance(0.7) ? known[0] : random.choice(known)}?`);
      continue;
    }
    const name = random.choice(random.chance(0.4) ? wanted : others);
    const before = facts.get(name);
    const value = before === undefined ? between(random, 0, 9) : (before + between(random, 1, 9)) % 10;
    facts.delete(name);
    facts.set(name, value);
    events.push(`${name}=${value}`);
  }
  return events;
}

const isFair = (events: readonly string[], named: number) =>
  events.slice(named).filter((e) => e.endsWith("?")).length >= 2 && events[events.length - 1].endsWith("?");

/** A memory with unknown values for these names. */
const blank = (names: string) => [...names].map((name) => `${name}-`).join("");

/** The expert's memory: the names that matter, each with its latest value. */
function careful(
  { wanted, events, line, at }: Pick<Remembering, "wanted" | "events" | "line" | "at">,
  named: boolean,
): string {
  const [name, , value] = events[at];
  const start = line || blank(named ? wanted : "");
  if (!wanted.includes(name)) return start;
  return put(start, name, value ?? said(start, name) ?? "-", wanted.length);
}

/**
 * A stream of changing facts, and a memory with less room than there are names. Each turn states a fact (`b=2`) or
 * has a question (`a?`), and the model rewrites its memory: `a3c1`. The memory is shown before the next fact, so the
 * last message is all that a model needs. A question is answered correctly if the memory had the answer before and
 * the new line still has it: earlier turns do not help. A beginning `ac:b=2` means that questions will be about `a`
 * and `c`; without names, the questions before all facts are repeated later.
 */
export const factsStream = textTask<Stream, Remembering>({
  id: "facts-stream",
  about:
    "Keep a short memory of changing facts, rewritten each turn (a3c1), and answer questions (a?) from it.",
  levels: sizes.length,
  alphabet: `${names}0123456789=?:- `,
  longest: { prompt: 6, answer: 6, conversation: 260 },
  make(random, level) {
    const [count, places, named, turns] = sizes[level - 1];
    const used = names.slice(0, count);
    const wanted = some(random, places, used).sort().join("");
    let events: string[];
    do events = eventsOf(random, used, wanted, named, turns);
    while (!isFair(events, named ? 0 : places));
    return {
      prompt: `${named ? wanted : ""}:${events[0]}`,
      key: `${wanted} ${events.join(" ")}`,
      answer: careful({ events, wanted, line: "", at: 0 }, named),
      data: { events, wanted },
    };
  },
  verify(_, __, conversation) {
    const { right = 0, asked = 0, events = [], at = 0 } = conversation?.state ?? {};
    // Questions that were not reached count as wrong.
    const left = events.slice(at).filter((e) => e.endsWith("?")).length;
    const all = asked + left;
    return { score: all ? right / all : 0, why: `${right} of ${all} questions were answered.` };
  },
  episode: {
    turns: 14,
    begin: ({ data }) => ({ ...data, facts: {}, line: "", at: 0, right: 0, asked: 0 }),
    turn(state, { content }) {
      const { events, wanted, facts, line } = state;
      const [name, , value] = events[state.at];
      state.line = kept(content, wanted.length);
      if (value !== undefined) facts[name] = value;
      else if (facts[name] !== undefined) {
        state.asked++;
        if (said(line, name) === facts[name] && said(state.line, name) === facts[name]) state.right++;
      }
      if (++state.at === events.length) return { done: true };
      return { say: `${state.line}${state.line && " "}${events[state.at]}` };
    },
    players: {
      expert: ({ level }, { state }) => careful(state, sizes[level - 1][2]),
      /** Like the expert, but one fact in five is not recorded. */
      novice: ({ level }, { state }, random) =>
        random.chance(0.2) && state.line ? state.line : careful(state, sizes[level - 1][2]),
      /** Usually leaves its memory unchanged, and seldom plays as the expert. */
      beginner: ({ level, data: { wanted } }, { state }, random) => {
        const named = sizes[level - 1][2];
        return random.chance(0.85) ? state.line || blank(named ? wanted : "") : careful(state, named);
      },
      /** Keeps the latest facts, whatever they are. */
      fixed(_, { state: { line, events, at, wanted } }) {
        const [name, , value] = events[at];
        return value === undefined ? line : put(line, name, value, wanted.length);
      },
      random: ({ data: { wanted } }, _, random) =>
        some(random, wanted.length, names)
          .map((name) => `${name}${random.integers(10)}`)
          .join(""),
    },
  },
});
