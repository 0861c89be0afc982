import { fail } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { stripped, verdict } from "../../tasks/answers.ts";
import { some } from "../../tasks/random.ts";
import { type ScriptedPlayer, type TextTask, textTask } from "../../tasks/text-task.ts";
import type { Message } from "../../tokenizers/message.ts";
import { tool } from "../../tools/tool.ts";
import { novice } from "./novice.ts";

const people = ["ba", "be", "bi", "bo", "da", "de", "di", "do"];
const towns = ["ma", "me", "mi", "mo", "na", "ne", "ni", "no"];
const names = [...people, ...towns];

/**
 * Half of all facts: the town of a person, the boss of a town. They are the same in every problem, so they can be
 * memorised.
 */
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

/** Number of facts from the question to its answer, and whether there are rumours and distractors. */
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
  /** Wrong statements about a name. */
  readonly rumours: { readonly [name: string]: string };
  readonly noisy: boolean;
}

const relation = (name: string) => (people.includes(name) ? "t" : "b");
const others = (name: string) => (people.includes(name) ? towns : people);

/** All statements about a name: its own fact, a rumour, and up to two facts with it as the answer. */
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

/** The names searched for in a conversation. */
const searched = (messages: readonly Message[]): unknown[] =>
  messages.flatMap(({ calls = [] }) => calls.map((c) => (c.arguments as { name?: unknown }).name));

/** A random search or answer. */
function anything(random: Generator): string {
  const name = random.choice(names);
  return random.chance(0.5) ? `find(${name})` : name;
}

/** Settings of {@link hopsWith}. */
export interface HopsOptions {
  /**
   * Cost of each search, subtracted from the reward (default 0). With a cost, the expert searches only for facts that
   * cannot be memorised.
   */
  readonly price?: number;
}

/**
 * Questions over a small knowledge base: `ba.tb?` asks for the town of `ba` and the boss of that town. `find(ba)`
 * returns statements about `ba`: `ba.t=ne`. A question mark after a statement marks a rumour, which is wrong.
 */
export function hopsWith({ price = 0 }: HopsOptions = {}): TextTask {
  if (!(price >= 0 && price < Infinity))
    fail("hops", `price is ${price}; it must be a finite number of at least 0.`);
  const expert: ScriptedPlayer<Facts, Facts> = ({ data: { path } }, { messages }) => {
    const known = searched(messages);
    const next = path.slice(0, -1).find((n) => !known.includes(n) && (price === 0 || !(n in lasting)));
    return next === undefined ? path[path.length - 1] : `find(${next})`;
  };
  return textTask<Facts, Facts>({
    id: "hops",
    about:
      "Follow facts from a name to an answer: t is the town of a person, b the boss of a town. find(name) gives facts.",
    levels: sizes.length,
    alphabet: "abdefimnot().=?- ",
    longest: { prompt: 7, answer: 8, conversation: 260 },
    make(random, level) {
      const [hops, noisy] = sizes[level - 1];
      const facts: Record<string, string> = { ...lasting };
      for (const name of drawn) facts[name] = random.choice(others(name));
      const rumours: Record<string, string> = {};
      for (const name of noisy ? some(random, names.length / 2, names) : [])
        rumours[name] = random.choice(others(name).filter((n) => n !== facts[name]));
      // Most questions begin where nothing can be memorised.
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
    verify({ data: { path } }, answer) {
      const [text, right] = [stripped(answer), path[path.length - 1]];
      return verdict(text === right, names.includes(text), `It is ${right}.`);
    },
    episode: {
      turns: 6,
      tools: [
        tool<{ name: string }, Facts>({
          name: "find",
          about: "The facts about a name.",
          parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          ...(price === 0 ? {} : { price }),
          run: ({ name }, { state }) => found(state, stripped(name)),
        }),
      ],
      players: {
        expert,
        /** Like the expert, but one turn in five is a random search or answer. */
        novice: (problem, conversation, random) =>
          random.chance(0.2) ? anything(random) : expert(problem, conversation, random),
        random: (_, __, random) => anything(random),
        /** Usually repeats the name in the question, and seldom plays as the expert. */
        beginner: novice<Facts, Facts>(expert, ({ data: { path } }) => path[0], 0.6),
        /** Never searches: it uses memorised facts and guesses the rest. */
        fixed: ({ data: { path } }) => path.slice(1).reduce((at) => lasting[at] ?? others(at)[0], path[0]),
      },
    },
  });
}

/** {@link hopsWith} without search costs. */
export const hops = hopsWith();
