import { fail, type Generator } from "@reins/core";
import { stripped, verdict } from "../tasks/answers.ts";
import { type Family, family, type ScriptedPlayer } from "../tasks/family.ts";
import { some } from "../tasks/random.ts";
import type { Message } from "../tokenizers/message.ts";
import { tool } from "../tools/tool.ts";
import { novice } from "./novice.ts";

const people = ["ba", "be", "bi", "bo", "da", "de", "di", "do"];
const towns = ["ma", "me", "mi", "mo", "na", "ne", "ni", "no"];
const names = [...people, ...towns];

/** Half of all facts: the town of a person, the boss of a town. They are the same in every problem, so they can be known by heart. */
const lasting: { readonly [name: string]: string } = {
  ba: "ne",
  bi: "ma",
  da: "no",
  di: "mi",
  ma: "de",
  mi: "bo",
  na: "be",
  ni: "di",
};
const drawn = names.filter((n) => !(n in lasting));

/** How many facts lead from the question to its answer, and whether there are rumours and other facts beside them. */
const sizes = [
  [1, false],
  [2, false],
  [2, true],
  [3, true],
] as const;

interface Facts {
  /** The names from the question to its answer. */
  readonly path: readonly string[];
  readonly facts: { readonly [name: string]: string };
  /** What is said of a name, and is wrong. */
  readonly rumours: { readonly [name: string]: string };
  readonly noisy: boolean;
}

const relation = (name: string) => (people.includes(name) ? "t" : "b");
const others = (name: string) => (people.includes(name) ? towns : people);

/** All that is said of a name: its own fact, a rumour, up to two facts of others that it is the answer to. */
function found({ facts, rumours, noisy }: Facts, name: string): string {
  if (!Object.hasOwn(facts, name)) return "-";
  const fact = (of: string) => `${of}.${relation(of)}=${facts[of]}`;
  const all = [fact(name)];
  if (name in rumours) all.push(`${name}.${relation(name)}=${rumours[name]}?`);
  if (noisy)
    all.push(
      ...names
        .filter((n) => facts[n] === name)
        .slice(0, 2)
        .map(fact),
    );
  return all.sort().join(" ");
}

/** The names that were searched for in a conversation. */
const searched = (messages: readonly Message[]): unknown[] =>
  messages.flatMap(({ calls = [] }) => calls.map((c) => (c.arguments as { name?: unknown }).name));

/** A search or an answer, at random. */
function anything(random: Generator): string {
  const name = random.choice(names);
  return random.chance(0.5) ? `find(${name})` : name;
}

/** Settings of {@link hopsWith}. */
export interface HopsOptions {
  /** What each search costs, as a part of the reward (default 0). Where it does, the expert searches only for what it cannot know. */
  readonly price?: number;
}

/**
 * Questions over a small base of facts: `ba.tb?` asks for the town of `ba` and for the boss of that town. `find(ba)` gives what is said of
 * `ba`: `ba.t=ne`. A question mark behind a fact makes it a rumour, which is wrong.
 */
export function hopsWith({ price = 0 }: HopsOptions = {}): Family {
  if (!(price >= 0 && price < Infinity)) fail("hops", `price is ${price}; it must be a number from 0.`);
  const expert: ScriptedPlayer<Facts, Facts> = ({ data: { path } }, { messages }) => {
    const known = searched(messages);
    const next = path.slice(0, -1).find((n) => !known.includes(n) && (price === 0 || !(n in lasting)));
    return next === undefined ? path[path.length - 1] : `find(${next})`;
  };
  return family<Facts, Facts>({
    id: "hops",
    about:
      "Follow facts from a name to an answer: t is the town of a person, b the boss of a town. find(name) gives facts.",
    levels: sizes.length,
    alphabet: "abdefimnot().=?- ",
    longest: { prompt: 7, answer: 8, talk: 260 },
    turns: 6,
    make(random, level) {
      const [hops, noisy] = sizes[level - 1];
      const facts: Record<string, string> = { ...lasting };
      for (const name of drawn) facts[name] = random.choice(others(name));
      const rumours: Record<string, string> = {};
      for (const name of noisy ? some(random, names.length / 2, names) : [])
        rumours[name] = random.choice(others(name).filter((n) => n !== facts[name]));
      // Most questions begin where nothing can be known by heart.
      const path = [random.choice(random.chance(0.75) ? drawn : Object.keys(lasting))];
      while (path.length <= hops) path.push(facts[path[path.length - 1]]);
      const prompt = `${path[0]}.${path.slice(0, -1).map(relation).join("")}?`;
      return {
        prompt,
        key: `${prompt} ${drawn.map((n) => facts[n]).join("")}`,
        answer: path[hops],
        data: { path, facts, rumours, noisy },
      };
    },
    tools: [
      tool<{ name: string }, Facts>({
        name: "find",
        about: "What is said of a name.",
        parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        ...(price === 0 ? {} : { price }),
        run: ({ name }, { state }) => found(state, stripped(name)),
      }),
    ],
    verify({ data: { path } }, answer) {
      const [text, right] = [stripped(answer), path[path.length - 1]];
      return verdict(text === right, names.includes(text), `It is ${right}.`);
    },
    players: {
      expert,
      /** As the expert, but one turn in five is a search or an answer at random. */
      novice: (problem, talk, random) =>
        random.chance(0.2) ? anything(random) : expert(problem, talk, random),
      random: (_, __, random) => anything(random),
      /** Mostly says the name that it was asked about, and seldom does what the expert does. */
      beginner: novice<Facts, Facts>(expert, ({ data: { path } }) => path[0], 0.6),
      /** Never searches: it goes by what it knows, and guesses the rest. */
      fixed: ({ data: { path } }) => path.slice(1).reduce((at) => lasting[at] ?? others(at)[0], path[0]),
    },
  });
}

/** {@link hopsWith} where searches cost nothing. */
export const hops = hopsWith();
