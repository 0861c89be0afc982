import { letters, many, some } from "../random.ts";
import { listed } from "../single.ts";

/** Length of the text, its letters, number of things to count, and their width; `words` are counted whole. */
const sizes = [
  { length: 4, alphabet: "abcdef", asked: 1, width: 1 },
  { length: 8, alphabet: "abcd", asked: 1, width: 1 },
  { length: 15, alphabet: "abcd", asked: 1, width: 1 },
  { length: 24, alphabet: "abcd", asked: 2, width: 1 },
  { length: 14, alphabet: "abc", asked: 2, width: 2, words: true },
  { length: 50, alphabet: "abcde", asked: 3, width: 1 },
  { length: 64, alphabet: "abc", asked: 3, width: 2 },
  { length: 90, alphabet: "abc", asked: 5, width: 2 },
];

/** Occurrences of letters, words or pairs of letters in a text. Pairs may overlap. */
export const counting = listed({
  id: "counting",
  about: "Count letters, words or pairs of letters.",
  levels: sizes.length,
  alphabet: "abcdef0123456789,? =",
  longest: { prompt: 106, answer: 14 },
  make(random, level) {
    const { length, alphabet, asked, width, words } = sizes[level - 1];
    const all = width === 1 ? [...alphabet] : [...alphabet].flatMap((a) => [...alphabet].map((b) => a + b));
    const pieces = some(random, asked, all);
    const text = words ? many(length, () => random.choice(all)).join(" ") : letters(random, length, alphabet);
    const count = (piece: string) => {
      let found = 0;
      for (let i = 0; i + width <= text.length; i += words ? width + 1 : 1)
        if (text.startsWith(piece, i)) found++;
      return found;
    };
    return [`${pieces.join(",")}?${text}=`, pieces.map(count).join(",")];
  },
});
