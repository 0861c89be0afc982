import { family, type ScriptedPlayer } from "../tasks/family.ts";
import { letters, some } from "../tasks/random.ts";
import { marks } from "../tasks/structures/wordle.ts";
import { novice } from "./novice.ts";

const alphabet = "abcdefgh";

/** How many letters a word has, how many letters there are, and how many guesses. */
const sizes = [
  [2, 4, 5],
  [3, 4, 6],
  [3, 5, 6],
  [4, 6, 7],
  [4, 8, 8],
] as const;

interface Hidden {
  readonly word: string;
  readonly used: string;
}

interface Game extends Hidden {
  readonly guesses: [guess: string, marks: string][];
  found: boolean;
}

/** A word that agrees with all marks so far, the first in the order of the alphabet. */
function agreeing({ word, used, guesses }: Game): string {
  const fits = (w: string) => guesses.every(([guess, given]) => marks(w, guess) === given);
  const count = used.length ** word.length;
  for (let n = 0; n < count; n++) {
    const w = spell(n, word.length, used);
    if (fits(w)) return w;
  }
  return word;
}

function spell(n: number, length: number, used: string): string {
  let [text, left] = ["", n];
  for (let i = 0; i < length; i++) {
    text = used[left % used.length] + text;
    left = Math.floor(left / used.length);
  }
  return text;
}

const expert: ScriptedPlayer<Hidden, Game> = (_, { state }) => agreeing(state);
const chance: ScriptedPlayer<Hidden, Game> = ({ data: { word, used } }, _, random) =>
  letters(random, word.length, used);

/**
 * Wordle in turns: each guess is answered by its marks, + for a letter in its place, ~ for one that is elsewhere, - for one that is not
 * there. `3adfg?` asks for words of 3 of these letters; every row of them is a word. The letters differ, so that words which training
 * never hides are not words that are never right.
 */
export const wordleGame = family<Hidden, Game>({
  id: "wordle-game",
  about: "Guess a hidden word; each guess is answered by marks: + in its place, ~ elsewhere, - not there.",
  levels: sizes.length,
  alphabet: `${alphabet}0123456789+~-?`,
  longest: { prompt: 10, answer: 4, talk: 96 },
  turns: 8,
  make(random, level) {
    const [length, count] = sizes[level - 1];
    const used = some(random, count, alphabet).sort().join("");
    const word = letters(random, length, used);
    return {
      prompt: `${length}${used}?`,
      key: `${used} ${word}`,
      answer: word,
      data: { word, used },
    };
  },
  begin: ({ data: { word, used } }) => ({ word, used, guesses: [], found: false }),
  turn(game, { content }) {
    const { word, used, guesses } = game;
    if (content === word) {
      game.found = true;
      return { done: true };
    }
    const [, , most] = sizes.find(([n, count]) => n === word.length && count === used.length)!;
    const isWord = content.length === word.length && [...content].every((c) => used.includes(c));
    guesses.push([isWord ? content : "", isWord ? marks(word, content) : ""]);
    if (guesses.length >= most) return { done: true };
    return { say: isWord ? marks(word, content) : "?" };
  },
  verify: (_, __, talk) => ({ score: talk?.state.found ? 1 : 0 }),
  players: {
    expert,
    // Tells letters that are there from those that are not, and knows nothing of places.
    fixed: (_, { state }, random) => {
      const { word, used, guesses } = state;
      const gone = guesses.flatMap(([guess, given]) => [...guess].filter((_, i) => given[i] === "-"));
      const left = [...used].filter((c) => !gone.includes(c)).join("");
      return letters(random, word.length, left || used);
    },
    novice: novice(expert, chance, 0.2),
    /** Mostly says nothing, and seldom does what the expert does. */
    beginner: novice<Hidden, Game>(expert, () => "", 0.8),
    random: chance,
  },
});
