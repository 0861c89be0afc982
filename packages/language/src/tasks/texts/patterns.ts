import type { Generator } from "@reins/core/random";
import { stripped, verdict } from "../answers.ts";
import { between, letters, many, some, until } from "../random.ts";
import { textTask } from "../text-task.ts";
import { compile, matches } from "./pattern.ts";

const alphabet = "abcd";

/** Number of letters, number of patterns that must all match, and how much they leave open. */
const sizes = [
  [3, 1, 0],
  [4, 1, 0.2],
  [5, 1, 0.4],
  [6, 1, 0.6],
  [8, 1, 0.7],
  [7, 2, 0.6],
  [10, 2, 0.7],
  [14, 3, 0.8],
  [30, 3, 0.8],
] as const;

/** A text of a given length that matches regular expressions: 3:a[bc]d asks for abd or acd. */
export const patterns = textTask<{ length: number; patterns: string[] }>({
  id: "patterns",
  about: "Write a text that matches regular expressions.",
  levels: sizes.length,
  alphabet: "abcd0123456789.[]()|*+?&:=",
  longest: { prompt: 254, answer: 30 },
  make(random, level) {
    const [length, count, open] = sizes[level - 1];
    const [answer, drawn] = until(
      () => {
        const text = letters(random, length, alphabet);
        return [text, many(count, () => sequence(random, text, open))] as const;
      },
      ([, drawn]) => drawn.join("&").length <= (level === 1 ? 24 : level < 9 ? 114 : 250),
    );
    return { prompt: `${length}:${drawn.join("&")}=`, answer, data: { length, patterns: drawn } };
  },
  verify({ data: { length, patterns } }, answer) {
    const text = stripped(answer);
    if (text.length !== length || !/^[a-d]+$/.test(text))
      return verdict(false, false, `It is not ${length} letters.`);
    const missed = patterns.find((pattern) => !matches(compile(pattern, alphabet)!, text));
    return verdict(missed === undefined, true, `It does not match ${missed}.`);
  },
  nearMisses: ({ answer, data: { patterns } }) =>
    [`${answer}a`, answer.slice(1), `${answer}.`, `(${answer})`, ...patterns].filter(
      (text) => text !== answer,
    ),
});

/** A pattern for the text, made from pieces of it; `open` is the probability that a piece is generalised. */
function sequence(random: Generator, text: string, open: number): string {
  let pattern = "";
  for (let i = 0; i < text.length; ) {
    const size = random.random() < open ? between(random, 1, Math.min(4, text.length - i)) : 1;
    pattern += piece(random, text.slice(i, i + size), open);
    if (random.random() < open * 0.3) pattern += random.choice(alphabet) + random.choice("?*");
    i += size;
  }
  return pattern;
}

function piece(random: Generator, text: string, open: number): string {
  const chance = random.random();
  const set = () =>
    `[${some(random, alphabet.length, alphabet)
      .filter((c, i) => text.includes(c) || i === 0)
      .sort()
      .join("")}]`;
  if (text.length === 1)
    return chance < 0.5 ? text : chance < 0.55 ? "." : chance < 0.55 + 0.2 * open ? `${text}+` : set();
  if (new Set(text).size === 1) return `${text[0]}${random.choice("*+")}`;
  if (chance < 0.4) {
    const sides = [
      sequence(random, text, open / 2),
      letters(random, between(random, 1, text.length + 1), alphabet),
    ];
    return `(${random.permutation(sides).join("|")})${chance < 0.1 ? "+" : ""}`;
  }
  if (chance < 0.6) return `${set()}${random.choice("*+")}`;
  return chance < 0.75 ? `(${text})${random.choice("*+")}` : sequence(random, text, open / 2);
}
