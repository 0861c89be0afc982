import { letters, until } from "../random.ts";
import { listed } from "../single.ts";

/** How long the text is, its letters, how long what is looked for, and which of its places: first, last or all. */
const sizes = [
  [5, "abcdefghijklmnopqrstuvwxyz", 1, "f"],
  [10, "abcdefgh", 1, "f"],
  [16, "abcdefgh", 1, "fl"],
  [24, "abcdefgh", 1, "fla"],
  [32, "abcd", 2, "fl"],
  [48, "abcd", 2, "fla"],
  [64, "abc", 2, "a"],
  [90, "ab", 3, "a"],
] as const;

/** Where a piece of text is, counted from 1: its first place (f), its last (l) or all (a), which may overlap. */
export const searching = listed({
  id: "searching",
  about: "Tell where in a text something is.",
  levels: sizes.length,
  alphabet: "abcdefghijklmnopqrstuvwxyz0123456789,@:=",
  longest: { prompt: 97, answer: 60 },
  make(random, level) {
    const [length, alphabet, width, kinds] = sizes[level - 1];
    const kind = random.choice(kinds);
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
