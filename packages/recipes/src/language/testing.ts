import { textTask } from "@reins/language";

/** A task that is learned in seconds: copy the requested letter. The second level has more letters. */
export const copying = (letters = "abcdefgh") =>
  textTask<{ letter: string }>({
    id: "copying",
    about: "Copy a letter.",
    levels: 2,
    alphabet: "abcdefgh:0123456789",
    longest: { prompt: 5, answer: 1 },
    make(random, level) {
      const letter = letters[random.integers(level === 1 ? 3 : letters.length)];
      return { prompt: `${random.integers(100)}:${letter}`, answer: letter, data: { letter } };
    },
    verify: ({ data }, answer) => ({
      score: answer === data.letter ? 1 : 0,
      wellFormed: answer.length === 1,
    }),
  });
