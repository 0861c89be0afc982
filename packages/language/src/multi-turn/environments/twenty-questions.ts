import type { Generator } from "@reins/core/random";
import { some, until } from "../../tasks/random.ts";
import { type ConversationState, textTask } from "../../tasks/text-task.ts";
import { novice } from "./novice.ts";

/**
 * Animals by their first letters, and their properties: it flies, has fur, lives in water, hunts, is bigger than a
 * cat, is kept by people, lays eggs, is out at night. The last two carry no information: all are alive, and none is a
 * plant.
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

/** Number of things, number of candidates, and number of questions. */
const sizes = [
  [10, 4, 2],
  [16, 6, 3],
  [16, 10, 4],
  [24, 16, 5],
] as const;

interface Game {
  readonly thing: string;
  readonly asked: [question: string, answer: string][];
  /** Maximum number of questions. */
  readonly most: number;
  named: string;
}

interface Hidden {
  readonly thing: string;
  /** The candidates. */
  readonly among: string;
  readonly level: number;
}

/** Candidates consistent with all answers so far. */
const agreeing = (among: string, asked: Game["asked"]): string[] =>
  [...among].filter((thing) => asked.every(([q, answer]) => answer === "?" || things[thing][+q] === answer));

/** The question that leaves the fewest candidates in the worst case. */
function best(left: readonly string[]): string {
  const worst = (q: string) => {
    const yes = left.filter((thing) => things[thing][+q] === "y").length;
    return Math.max(yes, left.length - yes);
  };
  return [...questions].reduce((a, b) => (worst(b) < worst(a) ? b : a));
}

/** Questions needed in the worst case if each is the best. */
function needed(left: readonly string[]): number {
  if (left.length < 2) return 0;
  const q = best(left);
  const parts = ["y", "n"].map((answer) => left.filter((thing) => things[thing][+q] === answer));
  return 1 + Math.max(...parts.map(needed));
}

/**
 * The most informative questions among all things of a level, each chosen after those before it, whatever the
 * answers.
 */
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

const expert = ({ data }: { data: Hidden }, { state }: ConversationState<Game>): string => {
  const left = agreeing(data.among, state.asked);
  return left.length > 1 && state.asked.length < state.most ? best(left) : left[0];
};

const chance = ({ data }: { data: Hidden }, { state }: ConversationState<Game>, random: Generator): string =>
  state.asked.length < state.most ? random.choice(questions) : random.choice(data.among);

/**
 * Find a thing by few questions. `acfh?` lists the candidates; a digit asks for a property and gets the reply y or n;
 * a letter names the thing and ends the game. The table of things is always the same, so that it can be learned.
 */
export const twentyQuestions = textTask<Hidden, Game>({
  id: "twenty-questions",
  about: "Identify one of several things: ask about properties by digits, then name the thing by its letter.",
  levels: sizes.length,
  alphabet: `${letters}y${questions}?`,
  longest: { prompt: 17, answer: 1, conversation: 36 },
  make(random, level) {
    const [count, size, most] = sizes[level - 1];
    const among = until(
      () => some(random, size, letters.slice(0, count)).sort(),
      (drawn) => needed(drawn) <= most,
    ).join("");
    const thing = random.choice(among);
    // A set of candidates is in one split with all its things: otherwise held-out things would seem never to be
    // right.
    return { prompt: `${among}?`, answer: thing, data: { thing, among, level } };
  },
  verify({ data: { thing } }, _, conversation) {
    const named = conversation?.state.named ?? "";
    if (named === thing) return { score: 1, wellFormed: true };
    return {
      score: 0,
      wellFormed: named !== "",
      why: named ? `It is ${thing}, not ${named}.` : "Nothing was named.",
    };
  },
  episode: {
    turns: 6,
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
    players: {
      expert,
      random: chance,
      novice: novice<Hidden, Game>(expert, chance),
      /** Usually asks an uninformative question, and seldom plays as the expert. */
      beginner: novice<Hidden, Game>(expert, () => questions[9], 0.7),
      /** The same questions whatever the answers, then a consistent thing. */
      fixed: ({ data: { among, level } }, { state }) =>
        fixedQuestions[level - 1][state.asked.length] ?? agreeing(among, state.asked)[0],
    },
  },
});
