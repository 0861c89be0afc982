import { letters, many, until } from "../random.ts";
import { worded } from "../single.ts";

const az = "abcdefghijklmnopqrstuvwxyz";

/** Number of letters or words, the alphabet, the length of words, and which occurrences to keep. */
const sizes = [
  [4, "abcdefghij", 1, "f"],
  [6, "abcdefghij", 1, "f"],
  [8, "abcdefghij", 1, "fl"],
  [12, "abcdefghij", 1, "flo"],
  [20, az.slice(0, 15), 1, "flo"],
  [8, "abc", 2, "flo"],
  [16, "abcd", 2, "flo"],
  [30, "abcdefg", 2, "lo"],
] as const;

/** Removal of repeated letters and words: f keeps the first of each, l the last, o those that occur only once. */
export const unique = worded({
  id: "unique",
  about: "Remove repeated letters or words.",
  levels: sizes.length,
  alphabet: `${az},:=`,
  longest: { prompt: 92, answer: 60 },
  form: /^[a-z,]+$/,
  make(random, level) {
    const [count, alphabet, width, kinds] = sizes[level - 1];
    const kind = random.choice(kinds);
    const mark = width === 1 ? "" : ",";
    const [items, kept] = until(
      () => {
        const items = many(count, () => letters(random, width, alphabet));
        const kept = items.filter(
          (x, i) => (kind === "l" || items.indexOf(x) === i) && (kind === "f" || items.lastIndexOf(x) === i),
        );
        return [items, kept] as const;
      },
      ([, kept]) => kept.length > 0 && kept.length < Math.min(count, 21),
    );
    return [`${kind}:${items.join(mark)}=`, kept.join(mark)];
  },
});
