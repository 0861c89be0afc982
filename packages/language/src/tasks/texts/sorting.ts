import { between, letters, many, some } from "../random.ts";
import { worded } from "../single.ts";

const az = "abcdefghijklmnopqrstuvwxyz";

/**
 * Number of letters or words, the alphabet, the longest word (1 for letters), and the orders: < ascending, >
 * descending, # by length, + by sum.
 */
const sizes = [
  [3, az, 1, "<"],
  [5, az, 1, "<"],
  [8, az, 1, "<>"],
  [14, az, 1, "<>"],
  [3, az, 3, "<>"],
  [5, az, 4, "<>"],
  [6, "abc", 5, "<>#"],
  [8, "abc", 6, "<>#"],
  [9, "abcdefgh", 5, "+"],
] as const;

/**
 * Letters and words to sort. Words of the same length are in alphabetical order where length is the key. After ##
 * stands another alphabet; words are sorted by the sum of their letters' positions in it, with ties in its order.
 */
export const sorting = worded({
  id: "sorting",
  about: "Sort letters or words.",
  levels: sizes.length,
  alphabet: `${az},<>#=`,
  longest: { prompt: 64, answer: 55 },
  form: /^[a-z,]+$/,
  make(random, level) {
    const [count, alphabet, most, orders] = sizes[level - 1];
    const order = random.choice(orders);
    const mark = most === 1 ? "" : ",";
    const items = many(count, () => letters(random, most === 1 ? 1 : between(random, 2, most), alphabet));
    if (order === "+") return bySum(items, some(random, alphabet.length, alphabet).join(""));
    const sorted = [...items].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    if (order === ">") sorted.reverse();
    if (order === "#") sorted.sort((a, b) => a.length - b.length);
    return [`${items.join(mark)}${order}=`, sorted.join(mark)];
  },
});

function bySum(words: readonly string[], alphabet: string): [string, string] {
  const places = (word: string) => [...word].map((c) => alphabet.indexOf(c) + 1);
  const sum = (word: string) => places(word).reduce((a, b) => a + b, 0);
  const sorted = [...words].sort(
    (a, b) => sum(a) - sum(b) || (places(a).join("") < places(b).join("") ? -1 : 1),
  );
  return [`${words.join(",")}##${alphabet}=`, sorted.join(",")];
}
