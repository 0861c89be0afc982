import type { Generator } from "@reins/core";
import { family } from "../tasks/family.ts";
import { between, some } from "../tasks/random.ts";

const names = "abcdef";

/** How many names there are, how many the memory holds, whether the beginning says which of them matter, and how many turns there are. */
const sizes = [
  [3, 1, true, 6],
  [4, 2, true, 8],
  [6, 2, true, 10],
  [6, 2, false, 10],
  [6, 3, false, 14],
] as const;

interface Stream {
  /** What is said in each turn: `a=3` tells, `a?` asks. */
  readonly events: readonly string[];
  /** The names that are asked about. As many have room in the memory. */
  readonly wanted: string;
}

interface Remembering extends Stream {
  /** What was told so far. */
  readonly told: Record<string, string>;
  /** The memory: names, each with its digit, or - where that is not known yet. */
  line: string;
  /** Events so far. */
  at: number;
  right: number;
  asked: number;
}

/** As much of a text as the memory holds: the first pairs of a name and a digit or -. */
const kept = (text: string, places: number): string =>
  [...text.matchAll(/[a-f][0-9-]/g)]
    .slice(0, places)
    .map(([pair]) => pair)
    .join("");

/** What the memory says of a name. */
const said = (line: string, name: string): string | undefined =>
  [...line.matchAll(/([a-f])(.)/g)].find(([, n]) => n === name)?.[2];

/** The memory with a value of a name put in, the last of all; nothing else is lost but what has no room, the oldest first. */
function put(line: string, name: string, value: string, places: number): string {
  const pairs = [...line.matchAll(/[a-f]./g)].map(([pair]) => pair);
  const at = pairs.findIndex(([n]) => n === name);
  if (at >= 0) pairs[at] = name + value;
  else pairs.push(name + value);
  return pairs.slice(-places).join("");
}

/**
 * What is told and asked. The names that matter are asked about before anything is told, unless the beginning says them. Mostly what was told
 * longest ago is asked for: what is new is easily had.
 */
function eventsOf(random: Generator, used: string, wanted: string, named: boolean, count: number): string[] {
  const events = named ? [] : [...wanted].map((name) => `${name}?`);
  const others = [...used].filter((name) => !wanted.includes(name));
  // In the order in which they were told last.
  const told = new Map<string, number>();
  while (events.length < count) {
    const known = [...told.keys()].filter((name) => wanted.includes(name) && events.at(-1) !== `${name}?`);
    const last = events.length === count - 1;
    if (known.length && (last || random.chance(0.35))) {
      events.push(`${random.chance(0.7) ? known[0] : random.choice(known)}?`);
      continue;
    }
    const name = random.choice(random.chance(0.4) ? wanted : others);
    const before = told.get(name);
    const value = before === undefined ? between(random, 0, 9) : (before + between(random, 1, 9)) % 10;
    told.delete(name);
    told.set(name, value);
    events.push(`${name}=${value}`);
  }
  return events;
}

const isFair = (events: readonly string[], named: number) =>
  events.slice(named).filter((e) => e.endsWith("?")).length >= 2 && events[events.length - 1].endsWith("?");

/** A memory that knows nothing of these names yet. */
const blank = (names: string) => [...names].map((name) => `${name}-`).join("");

/** The memory as an expert keeps it: the names that matter, each with what was told of it last. */
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
 * A stream of facts that change, and a memory with less room than there are names. Each turn tells a fact (`b=2`) or asks for one (`a?`), and
 * the model writes its memory anew: `a3c1`. The memory is shown before the next fact, so the last message is all that a model needs. A
 * question is right if the memory had the answer before and the line written then has it still: what earlier turns said does not help.
 * A beginning `ac:b=2` says that `a` and `c` will be asked about; without names, what is asked first, before all facts, is asked again.
 */
export const factsStream = family<Stream, Remembering>({
  id: "facts-stream",
  about:
    "Keep a short memory of changing facts: write it anew each turn (a3c1). Questions (a?) are answered by what it holds.",
  levels: sizes.length,
  alphabet: `${names}0123456789=?:- `,
  longest: { prompt: 6, answer: 6, talk: 260 },
  turns: 14,
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
  begin: ({ data }) => ({ ...data, told: {}, line: "", at: 0, right: 0, asked: 0 }),
  turn(state, { content }) {
    const { events, wanted, told, line } = state;
    const [name, , value] = events[state.at];
    state.line = kept(content, wanted.length);
    if (value !== undefined) told[name] = value;
    else if (told[name] !== undefined) {
      state.asked++;
      if (said(line, name) === told[name] && said(state.line, name) === told[name]) state.right++;
    }
    if (++state.at === events.length) return { done: true };
    return { say: `${state.line}${state.line && " "}${events[state.at]}` };
  },
  verify(_, __, talk) {
    const { right = 0, asked = 0, events = [], at = 0 } = talk?.state ?? {};
    // Questions that were never come to are not right.
    const left = events.slice(at).filter((e) => e.endsWith("?")).length;
    const all = asked + left;
    return { score: all ? right / all : 0, why: `${right} of ${all} questions were answered.` };
  },
  players: {
    expert: ({ level }, { state }) => careful(state, sizes[level - 1][2]),
    /** As the expert, but one fact in five is not put in. */
    novice: ({ level }, { state }, random) =>
      random.chance(0.2) && state.line ? state.line : careful(state, sizes[level - 1][2]),
    /** Mostly leaves its memory as it is, and seldom does what the expert does. */
    beginner: ({ level, data: { wanted } }, { state }, random) => {
      const named = sizes[level - 1][2];
      return random.chance(0.85) ? state.line || blank(named ? wanted : "") : careful(state, named);
    },
    /** Keeps what was told last, whatever it is. */
    fixed(_, { state: { line, events, at, wanted } }) {
      const [name, , value] = events[at];
      return value === undefined ? line : put(line, name, value, wanted.length);
    },
    random: ({ data: { wanted } }, _, random) =>
      some(random, wanted.length, names)
        .map((name) => `${name}${random.integers(10)}`)
        .join(""),
  },
});
