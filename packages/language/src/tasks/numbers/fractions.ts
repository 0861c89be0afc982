import type { Generator } from "@reins/core/random";
import { combine, type Fraction, fraction, written } from "../../tools/fraction.ts";
import { stripped, verdict, whole } from "../answers.ts";
import { between, many } from "../random.ts";
import { textTask } from "../text-task.ts";

const primes = [7, 11, 13, 17, 19, 23];

/** Number of fractions, their largest number and the operators, from level 3 on. */
const sizes = [
  [2, 5, "+"],
  [2, 9, "+-"],
  [2, 12, "+-*/"],
  [2, 30, "+-*/"],
  [3, 12, "+-"],
  [3, 30, "+-*/"],
] as const;

/** Arithmetic with fractions, with the result in lowest terms. Level 1: one denominator. Level 2: only reducing. */
export const fractions = textTask<{ n: string; d: string }>({
  id: "fractions",
  about: "Calculate with fractions, in lowest terms.",
  levels: sizes.length + 2,
  alphabet: "0123456789+-*/()=",
  longest: { prompt: 24, answer: 14 },
  make(random, level) {
    const [prompt, value] = problem(random, level);
    return { prompt: `${prompt}=`, answer: written(value), data: { n: `${value.n}`, d: `${value.d}` } };
  },
  verify({ answer: best, data: { n, d } }, answer) {
    const parts = stripped(answer).split("/", 3);
    const [top, bottom] = [whole(parts[0]), whole(parts[1] ?? "1")];
    const formed = parts.length < 3 && top !== undefined && bottom !== undefined && bottom[0] !== "-";
    // Values are in lowest terms: equal numerators and denominators are the only spelling.
    return verdict(formed && top === n && bottom === d, formed, `In lowest terms it is ${best}.`);
  },
  nearMisses: ({ data: { n, d } }) => [
    `${BigInt(n) * 2n}/${BigInt(d) * 2n}`,
    `${BigInt(n) + 1n}/${d}`,
    `${n}/${BigInt(d) + 1n}0`,
    `${n}/-${d}`,
    `${n}/0`,
    `${n}//${d}`,
  ],
});

function problem(random: Generator, level: number): [string, Fraction] {
  if (level === 1) {
    const prime = random.choice(primes);
    const [a, b] = many(2, () => between(random, 1, prime - 1));
    return [`${a}/${prime}+${b}/${prime}`, fraction(a + b, prime)];
  }
  if (level === 2) {
    const by = between(random, 1, 9);
    const [n, d] = [between(random, 1, 12) * by, between(random, 2, 12) * by];
    return [`${n}/${d}`, fraction(n, d)];
  }
  const [count, most, operators] = sizes[level - 3];
  const terms = many(count, () => [between(random, 1, most), between(random, 2, most)]);
  const chosen = many(count - 1, () => random.choice(operators));
  // From left to right: a sum before a product would need other parentheses.
  let text = `${terms[0][0]}/${terms[0][1]}`;
  let value = fraction(terms[0][0], terms[0][1]);
  chosen.forEach((op, i) => {
    const [n, d] = terms[i + 1];
    if (i > 0 && "*/".includes(op)) text = `(${text})`;
    text += op === "/" ? `/(${n}/${d})` : `${op}${n}/${d}`;
    value = combine(op, value, fraction(n, d))!;
  });
  return [text, value];
}
