import type { Generator } from "@reins/core";
import { family, type Talk } from "../tasks/family.ts";
import { some, until } from "../tasks/random.ts";
import { novice } from "./novice.ts";

/**
 * Animals by their first letters, and what is true of each: it flies, has fur, lives in water, hunts, is bigger than a cat, is kept by
 * people, lays eggs, is out at night. The last two tell nothing: all are alive, and none is a plant.
 */
const things: { readonly [letter: string]: string } = {
  a: "nnnnnnynyn", // ant
  b: "yynynnnyyn", // bat
  c: "nynynynyyn", // cat
  d: "nynyyynnyn", // dog
  e: "nnyyynyyyn", // eel
  f: "nynyynnyyn", // fox
  g: "nynnyynnyn", // goat
  h: "nnnnnyynyn", // hen
  i: "ynnyynynyn", // ibis
  j: "ynnnnnynyn", // jay
  k: "nynnynnyyn", // koala
  l: "nynyynnnyn", // lion
  m: "nynynnnnyn", // mole
  n: "nnyynnynyn", // newt
  o: "ynnynnyyyn", // owl
  p: "nnnnyynnyn", // pig
  q: "ynnnnyynyn", // quail
  r: "nynnnnnyyn", // rat
  s: "nyyyynnnyn", // seal
  t: "nnnynnyyyn", // toad
  u: "nnynnnynyn", // urchin
  v: "nynnnnnnyn", // vole
  w: "ynnynnynyn", // wasp
  z: "nynnynnnyn", // zebra
};

const letters = Object.keys(things).join("");
const questions = "0123456789";

/** How many things there are, how many of them it may be, and how many questions may be asked. */
const sizes = [
  [10, 4, 2],
  [16, 6, 3],
  [16, 10, 4],
  [24, 16, 5],
] as const;

interface Game {
  readonly thing: string;
  readonly asked: [question: string, answer: string][];
  /** How many questions may be asked. */
  readonly most: number;
  named: string;
}

interface Hidden {
  readonly thing: string;
  /** What it may be. */
  readonly among: string;
  readonly level: number;
}

/** What agrees with all answers so far. */
const agreeing = (among: string, asked: Game["asked"]): string[] =>
  [...among].filter((thing) => asked.every(([q, answer]) => answer === "?" || things[thing][+q] === answer));

/** The question after which the fewest things are left at worst. */
function best(left: readonly string[]): string {
  const worst = (q: string) => {
    const yes = left.filter((thing) => things[thing][+q] === "y").length;
    return Math.max(yes, left.length - yes);
  };
  return [...questions].reduce((a, b) => (worst(b) < worst(a) ? b : a));
}

/** Questions that are needed at worst if each is the best. */
function needed(left: readonly string[]): number {
  if (left.length < 2) return 0;
  const q = best(left);
  const parts = ["y", "n"].map((answer) => left.filter((thing) => things[thing][+q] === answer));
  return 1 + Math.max(...parts.map(needed));
}

/** The questions that tell most among all things of a level, each chosen after those before it and whatever the answers. */
function sameQuestions(level: number): string[] {
  const [count, , most] = sizes[level - 1];
  const chosen: string[] = [];
  const kinds = (qs: readonly string[]) =>
    new Set([...letters.slice(0, count)].map((thing) => qs.map((q) => things[thing][+q]).join(""))).size;
  while (chosen.length < most)
    chosen.push([...questions].reduce((a, b) => (kinds([...chosen, b]) > kinds([...chosen, a]) ? b : a)));
  return chosen;
}

const fixedQuestions = sizes.map((_, i) => sameQuestions(i + 1));

const expert = ({ data }: { data: Hidden }, { state }: Talk<Game>): string => {
  const left = agreeing(data.among, state.asked);
  return left.length > 1 && state.asked.length < state.most ? best(left) : left[0];
};

const chance = ({ data }: { data: Hidden }, { state }: Talk<Game>, random: Generator): string =>
  state.asked.length < state.most ? random.choice(questions) : random.choice(data.among);

/**
 * A thing is to be found by few questions. `acfh?` says what it may be; a digit asks whether something is true of it and is answered by y or
 * n; a letter names it and ends the game. The table of things is always the same, so that it can be learned.
 */
export const twentyQuestions = family<Hidden, Game>({
  id: "twenty-questions",
  about: "Find which of some things is meant: ask for properties by digits, then name it by its letter.",
  levels: sizes.length,
  alphabet: `${letters}y${questions}?`,
  longest: { prompt: 17, answer: 1, talk: 36 },
  turns: 6,
  make(random, level) {
    const [count, size, most] = sizes[level - 1];
    const among = until(
      () => some(random, size, letters.slice(0, count)).sort(),
      (drawn) => needed(drawn) <= most,
    ).join("");
    const thing = random.choice(among);
    // Sets are for training or for testing with all that is in them: else what was left out for testing would seem never to be right.
    return { prompt: `${among}?`, answer: thing, data: { thing, among, level } };
  },
  begin: ({ data: { thing, level } }) => ({ thing, asked: [], most: sizes[level - 1][2], named: "" }),
  turn(game, { content }) {
    const { thing, asked, most } = game;
    if (Object.hasOwn(things, content)) {
      game.named = content;
      return { done: true };
    }
    if (asked.length >= most) return { done: true };
    const isQuestion = content.length === 1 && questions.includes(content);
    const answer = isQuestion ? things[thing][+content] : "?";
    asked.push([content, answer]);
    return { say: answer };
  },
  verify({ data: { thing } }, _, talk) {
    const named = talk?.state.named ?? "";
    if (named === thing) return { score: 1, formed: true };
    return {
      score: 0,
      formed: named !== "",
      why: named ? `It is ${thing}, not ${named}.` : "Nothing was named.",
    };
  },
  players: {
    expert,
    random: chance,
    novice: novice<Hidden, Game>(expert, chance),
    /** Mostly asks what tells nothing, and seldom does what the expert does. */
    beginner: novice<Hidden, Game>(expert, () => questions[9], 0.7),
    /** The same questions whatever the answers are, then a thing that agrees with them. */
    fixed: ({ data: { among, level } }, { state }) =>
      fixedQuestions[level - 1][state.asked.length] ?? agreeing(among, state.asked)[0],
  },
});
