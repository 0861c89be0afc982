import { stripped, verdict } from "../answers.ts";
import { letters, many } from "../random.ts";
import { textTask } from "../text-task.ts";

const alphabet = "abcdefgh";

/** Letters of a word, letters of the alphabet, and number of guesses made. */
const sizes = [
  [3, 4, 1],
  [3, 5, 2],
  [4, 5, 2],
  [4, 6, 3],
  [5, 6, 3],
  [5, 7, 4],
  [6, 8, 5],
  [8, 8, 6],
  [16, 8, 5],
] as const;

/**
 * The marks of a guess: + for a letter in its place, ~ for one that is elsewhere, - for one that is absent. Each
 * letter of the word gives only one mark, to letters in their places first and then from left to right, as in Wordle.
 */
export function marks(word: string, guess: string): string {
  const left = [...word].filter((c, i) => c !== guess[i]);
  return [...guess]
    .map((c, i) => {
      if (c === word[i]) return "+";
      const at = left.indexOf(c);
      if (at < 0) return "-";
      left.splice(at, 1);
      return "~";
    })
    .join("");
}

/**
 * A next guess that is consistent with all marks so far. 3d means words of 3 letters from a to d; every such string
 * is a word.
 */
export const wordle = textTask<{
  length: number;
  letters: string;
  guesses: [guess: string, marks: string][];
}>({
  id: "wordle",
  about: "Guess a word that is consistent with the marks of earlier guesses.",
  levels: sizes.length,
  alphabet: `${alphabet}0123456789+~-,:=`,
  longest: { prompt: 169, answer: 16 },
  make(random, level) {
    const [length, count, tries] = sizes[level - 1];
    const used = alphabet.slice(0, count);
    const word = letters(random, length, used);
    const guesses = many(tries, (): [string, string] => {
      const guess = letters(random, length, used);
      return [guess, marks(word, guess)];
    });
    return {
      prompt: `${length}${used[count - 1]}:${guesses.map((pair) => pair.join("")).join(",")}=`,
      answer: word,
      data: { length, letters: used, guesses },
    };
  },
  verify({ data: { length, letters, guesses } }, answer) {
    const word = stripped(answer);
    if (word.length !== length || ![...word].every((c) => letters.includes(c)))
      return verdict(false, false, `It is not ${length} letters from a to ${letters[letters.length - 1]}.`);
    const missed = guesses.find(([guess, given]) => marks(word, guess) !== given);
    return verdict(missed === undefined, true, `${missed?.[0]} would have other marks.`);
  },
  nearMisses: ({ answer, data: { guesses } }) => [
    ...guesses.map(([guess]) => guess).filter((guess) => guess !== answer),
    `${answer}a`,
    answer.slice(1),
    `${answer.slice(1)}z`,
    guesses[0].join(""),
  ],
});
