import type { Generator } from "@reins/core/random";
import { between, until } from "../random.ts";
import { worded } from "../single.ts";

const signs = [
  ["M", 1000],
  ["CM", 900],
  ["D", 500],
  ["CD", 400],
  ["C", 100],
  ["XC", 90],
  ["L", 50],
  ["XL", 40],
  ["X", 10],
  ["IX", 9],
  ["V", 5],
  ["IV", 4],
  ["I", 1],
] as const;

/** A number from 1 to 3999 in Roman numerals. */
function numeral(number: number): string {
  let text = "";
  for (const [sign, value] of signs) while (number >= value) [text, number] = [text + sign, number - value];
  return text;
}

/** The largest number at each level. The first three levels translate, the others calculate. */
const most = [399, 399, 3999, 50, 500, 60, 999, 99, 99];

/** Reading, writing and calculating with Roman numerals. */
export const roman = worded({
  id: "roman",
  about: "Read, write and calculate in Roman numerals.",
  levels: most.length,
  alphabet: "0123456789IVXLCDM+-*=",
  longest: { prompt: 40, answer: 15 },
  numbers: true,
  form: /^(?:[IVXLCDM]+|[0-9]+)$/,
  make(random, level) {
    const number = () => between(random, 1, most[level - 1]);
    if (level === 1 || (level === 3 && random.random() < 0.5)) {
      const value = number();
      return [`${numeral(value)}=`, value];
    }
    if (level < 4) {
      const value = number();
      return [`${value}=`, numeral(value)];
    }
    const [text, value] = until(
      () => formula(random, level, number),
      ([, x]) => x > 0 && x < 4000,
    );
    return [`${text}=`, numeral(value)];
  },
});

function formula(random: Generator, level: number, number: () => number): [string, number] {
  const [a, b, c] = [number(), number(), level === 8 ? between(random, 1, 999) : number()];
  if (level === 9) {
    const d = number();
    return [`${numeral(a)}*${numeral(b)}-${numeral(c)}*${numeral(d)}`, a * b - c * d];
  }
  if (level === 6) return [`${numeral(a)}*${numeral(b)}`, a * b];
  if (level === 8) return [`${numeral(a)}*${numeral(b)}-${numeral(c)}`, a * b - c];
  const minus = random.random() < 0.5;
  const sum = minus ? a - b : a + b;
  const text = `${numeral(a)}${minus ? "-" : "+"}${numeral(b)}`;
  return level === 7 ? [`${text}+${numeral(c)}`, sum + c] : [text, sum];
}
