import type { Generator } from "@reins/core/random";
import { stripped, verdict, whole } from "../answers.ts";
import { between } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Find x with x * `factor` = `rest` modulo `modulus`; a plain remainder has factor 1. */
interface Congruence {
  readonly factor: number;
  readonly rest: number;
  readonly modulus: number;
  /** Whether any number with this remainder is right, or only the least. */
  readonly any: boolean;
}

/** The primes between 100 and 1000. */
const primes = Array.from({ length: 900 }, (_, i) => i + 100).filter((n) =>
  [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31].every((p) => n % p !== 0),
);

/** Remainders of numbers, sums, products and powers, and at the highest level modular division. */
export const modular = textTask<Congruence>({
  id: "modular",
  about: "Calculate with remainders.",
  levels: 8,
  alphabet: "0123456789+*^%=x,",
  longest: { prompt: 16, answer: 3 },
  make(random, level) {
    if (level < 8) {
      const [text, rest, modulus] = remainder(random, level);
      return {
        prompt: `${text}%${modulus}=`,
        answer: `${rest}`,
        data: { factor: 1, rest, modulus, any: false },
      };
    }
    const modulus = random.choice(primes);
    const [factor, x] = [between(random, 2, modulus - 1), between(random, 1, modulus - 1)];
    const rest = (factor * x) % modulus;
    const prompt = `${factor}*x%${modulus}=${rest},x=`;
    return { prompt, answer: `${x}`, data: { factor, rest, modulus, any: true } };
  },
  verify({ data: { factor, rest, modulus, any } }, answer) {
    const x = whole(stripped(answer));
    if (x === undefined) return verdict(false, false, "It is not an integer.");
    const right = any ? (factor * mod(x, modulus)) % modulus === rest : x === `${rest}`;
    return verdict(right, true, `Its remainder is not ${rest}.`);
  },
  nearMisses: ({ answer, data: { modulus } }) =>
    [
      `${(Number(answer) + 1) % modulus}`,
      `${(Number(answer) + modulus - 1) % modulus}`,
      `${answer}%${modulus}`,
      `${modulus}x`,
      `-${Number(answer) + 1}`,
    ].filter((text) => text !== answer && mod(whole(text) ?? "-1", modulus) !== Number(answer)),
});

/** A term, its remainder and the modulus. Levels 1 and 2 need only the last digits, or two digits in total. */
function remainder(random: Generator, level: number): [string, number, number] {
  const number = (low: number, high: number) => between(random, low, high);
  if (level === 1) {
    const [a, m] = [number(0, 999), random.choice([2, 5, 10])];
    return [`${a}`, a % m, m];
  }
  if (level === 2) {
    const [a, m] = [number(0, 99), number(2, 10)];
    return [`${a}`, a % m, m];
  }
  if (level === 3 || level === 5) {
    const [a, b, m] =
      level === 3
        ? [number(0, 99), number(0, 99), number(2, 12)]
        : [number(0, 999), number(0, 999), number(11, 99)];
    return [`${a}+${b}`, (a + b) % m, m];
  }
  if (level === 4 || level === 6) {
    const [a, b, m] =
      level === 4
        ? [number(2, 20), number(2, 20), number(3, 20)]
        : [number(11, 99), number(11, 99), number(11, 99)];
    return [`${a}*${b}`, (a * b) % m, m];
  }
  const [a, b, m] = [number(2, 99), number(3, 99), number(101, 999)];
  let power = 1;
  for (let i = 0; i < b; i++) power = (power * a) % m;
  return [`${a}^${b}`, power, m];
}

/** The remainder of a number of any length, without computing the number. Never negative. */
function mod(number: string, modulus: number): number {
  let rest = 0;
  for (const c of number) if (c !== "-") rest = (rest * 10 + Number(c)) % modulus;
  return number[0] === "-" ? (modulus - rest) % modulus : rest;
}
