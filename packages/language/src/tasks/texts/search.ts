import type { Generator } from "@reins/core/random";
import { letters, many, until } from "../random.ts";
import { listed } from "../single.ts";

/**
 * Length of the text, its letters, length of the pattern, and which occurrences: first, last, all, or the end of a
 * subsequence.
 */
const sizes = [
  [5, "abcdefghijklmnopqrstuvwxyz", 1, "f"],
  [10, "abcdefgh", 1, "f"],
  [16, "abcdefgh", 1, "fl"],
  [24, "abcdefgh", 1, "fla"],
  [32, "abcd", 2, "fl"],
  [48, "abcd", 2, "fla"],
  [64, "abc", 2, "a"],
  [90, "ab", 3, "a"],
  [60, "abcd", 10, "n"],
] as const;

/**
 * Positions of a substring, counted from 1: the first (f), the last (l) or all (a), which may overlap. With n the
 * letters are matched as a subsequence, and the position of the last one is the answer: n@ab:bacb is 4.
 */
export const searching = listed({
  id: "searching",
  about: "Find the position of a pattern in a text.",
  levels: sizes.length,
  alphabet: "abcdefghijklmnopqrstuvwxyz0123456789,@:=",
  longest: { prompt: 97, answer: 60 },
  make(random, level) {
    const [length, alphabet, width, kinds] = sizes[level - 1];
    const kind = random.choice(kinds);
    if (kind === "n") return inTurn(random, length, alphabet, width);
    const [text, piece, places] = until(
      () => {
        const text = letters(random, length, alphabet);
        const start = random.integers(length - width + 1);
        const piece = text.slice(start, start + width);
        const places: number[] = [];
        for (let i = text.indexOf(piece); i >= 0; i = text.indexOf(piece, i + 1)) places.push(i + 1);
        return [text, piece, places] as const;
      },
      ([, , places]) => places.length < 18,
    );
    const asked = kind === "f" ? [places[0]] : kind === "l" ? [places[places.length - 1]] : places;
    return [`${kind}@${piece}:${text}=`, asked.join(",")];
  },
});

/** Three strings, each a subsequence of the text. */
function inTurn(random: Generator, length: number, alphabet: string, width: number): [string, string] {
  const [text, rows, ends] = until(
    () => {
      const text = letters(random, length, alphabet);
      const rows = many(3, () => letters(random, width, alphabet));
      const end = (row: string) =>
        [...row].reduce((at, c) => (at < 0 ? at : text.indexOf(c, at) + 1 || -1), 0);
      return [text, rows, rows.map(end)] as const;
    },
    ([, , ends]) => ends.every((end) => end > 0),
  );
  return [`n@${rows.join(",")}:${text}=`, ends.join(",")];
}
