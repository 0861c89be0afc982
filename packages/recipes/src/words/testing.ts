import { family } from "@reins/language";

/** Write the letter that was asked for: learned in seconds. At the second level there are more of them. */
export const copying = (letters = "abcdefgh") =>
  family<{ letter: string }>({
    id: "copying",
    about: "Copy a letter.",
    levels: 2,
    alphabet: "abcdefgh:0123456789",
    longest: { prompt: 5, answer: 1 },
    make(random, level) {
      const letter = letters[random.integers(level === 1 ? 3 : letters.length)];
      return { prompt: `${random.integers(100)}:${letter}`, answer: letter, data: { letter } };
    },
    verify: ({ data }, answer) => ({ score: answer === data.letter ? 1 : 0, formed: answer.length === 1 }),
  });
