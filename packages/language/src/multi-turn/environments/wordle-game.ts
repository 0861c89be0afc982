import { letters, some } from "../../tasks/random.ts";
import { marks } from "../../tasks/structures/wordle.ts";
import { type ScriptedPlayer, textTask } from "../../tasks/text-task.ts";
import { novice } from "./novice.ts";

const alphabet = "abcdefgh";

/** Letters of a word, letters of the alphabet, and number of guesses. */
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

/** The first word in alphabetical order that is consistent with all marks so far. */
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
 * Wordle in turns: each guess gets its marks as reply, + for a letter in its place, ~ for one that is elsewhere, -
 * for one that is absent. `3adfg?` asks for words of 3 of these letters; every string of them is a word. The letters
 * are sampled, so that words that training never hides can still be right.
 */
export const wordleGame = textTask<Hidden, Game>({
  id: "wordle-game",
  about: "Guess a hidden word. Marks answer each guess: + in the right place, ~ in another place, - absent.",
  levels: sizes.length,
  alphabet: `${alphabet}0123456789+~-?`,
  longest: { prompt: 10, answer: 4, conversation: 96 },
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
  verify: (_, __, conversation) => ({ score: conversation?.state.found ? 1 : 0 }),
  episode: {
    turns: 8,
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
    players: {
      expert,
      // Distinguishes present letters from absent ones, and ignores places.
      fixed: (_, { state }, random) => {
        const { word, used, guesses } = state;
        const absent = guesses.flatMap(([guess, given]) => [...guess].filter((_, i) => given[i] === "-"));
        const left = [...used].filter((c) => !absent.includes(c)).join("");
        return letters(random, word.length, left || used);
      },
      novice: novice(expert, chance, 0.2),
      /** Usually stays silent, and seldom plays as the expert. */
      beginner: novice<Hidden, Game>(expert, () => "", 0.8),
      random: chance,
    },
  },
});
