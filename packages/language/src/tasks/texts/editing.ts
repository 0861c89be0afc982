import type { Generator } from "@reins/core/random";
import { between, letters } from "../random.ts";
import { worded } from "../single.ts";

const az = "abcdefghijklmnopqrstuvwxyz";

/** Number of letters, number of instructions, and their kinds. */
const sizes = [
  [3, 1, "-"],
  [4, 1, "-+"],
  [5, 1, "-+!"],
  [6, 2, "-+!"],
  [8, 3, "-+!~"],
  [12, 4, "-+!~"],
  [16, 6, "-+!~"],
  [24, 8, "-+!~"],
] as const;

/** Instructions to execute in order: -2 removes the second letter, +2x inserts x there, !2x replaces it, ~2.5 swaps. */
export const editing = worded({
  id: "editing",
  about: "Apply editing instructions to a text, one after another.",
  levels: sizes.length,
  alphabet: `${az}0123456789-+!~. =`,
  longest: { prompt: 81, answer: 32 },
  form: /^[a-z]+$/,
  make(random, level) {
    const [length, count, kinds] = sizes[level - 1];
    const text = letters(random, length, az);
    const edits: string[] = [];
    let result = text;
    for (let i = 0; i < count; i++) {
      const edit = draw(random, random.choice(kinds), result.length);
      edits.push(edit);
      result = edited(result, edit);
    }
    return [`${text} ${edits.join(" ")}=`, result];
  },
});

function draw(random: Generator, kind: string, length: number): string {
  const place = between(random, 1, kind === "+" ? length + 1 : length);
  if (kind === "-") return `-${place}`;
  if (kind === "~") return `~${place}.${between(random, 1, length)}`;
  return `${kind}${place}${random.choice(az)}`;
}

function edited(text: string, edit: string): string {
  const characters = [...text];
  const [at, other] = edit
    .slice(1)
    .split(".")
    .map((part) => Number.parseInt(part, 10) - 1);
  const letter = edit[edit.length - 1];
  if (edit[0] === "-") characters.splice(at, 1);
  else if (edit[0] === "+") characters.splice(at, 0, letter);
  else if (edit[0] === "!") characters[at] = letter;
  else [characters[at], characters[other]] = [characters[other], characters[at]];
  return characters.join("");
}
