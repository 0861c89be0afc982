import type { Generator } from "@reins/core/random";
import { stripped, verdict } from "../answers.ts";
import { between, until } from "../random.ts";
import { textTask } from "../text-task.ts";

/** The largest number at each level. The first two levels ask for one prime divisor, the others for all of them. */
const most = [999, 999, 300, 2_000, 20_000, 200_000, 2_000_000, 399_999_999];

/** The prime factors of a number, in ascending order. */
function primes(number: number): number[] {
  const found: number[] = [];
  for (let p = 2; p * p <= number; p++) for (; number % p === 0; number /= p) found.push(p);
  return number > 1 ? [...found, number] : found;
}

/** Prime divisors and factorisations, in any order and with or without powers: 2*2*3 and 3*2^2 are the same. */
export const factors = textTask<{ factors: number[]; one: boolean }>({
  id: "factors",
  about: "Find a prime divisor of a number, or write it as a product of primes.",
  levels: most.length,
  alphabet: "0123456789*^|p=",
  longest: { prompt: 10, answer: 51 },
  make(random, level) {
    const high = most[level - 1];
    const number = until(
      () => {
        if (level === 1)
          return random.random() < 0.5 ? 2 * between(random, 1, 499) : 5 * between(random, 1, 199);
        // At the highest level, products of two primes of four or five digits.
        return level === most.length ? prime(random) * prime(random) : between(random, high >> 3, high);
      },
      // At level 1 the last digit decides, at level 2 the number is odd.
      (x) => level > 2 || (level === 1 ? (x % 2 === 0) !== (x % 5 === 0) : x % 2 === 1 && primes(x)[0] < 12),
    );
    const parts = primes(number);
    if (level < 3) {
      const easiest = level === 1 && number % 5 === 0 ? 5 : parts[0];
      return { prompt: `p|${number}=`, answer: `${easiest}`, data: { factors: parts, one: true } };
    }
    return { prompt: `${number}=`, answer: parts.join("*"), data: { factors: parts, one: false } };
  },
  verify({ data: { factors, one } }, answer) {
    const parts = stripped(answer).split("*", factors.length + 1);
    if (parts.length > (one ? 1 : factors.length))
      return verdict(false, false, "There are too many factors.");
    const left = [...factors];
    for (const part of parts) {
      const match = /^0*([0-9]{1,9})(?:\^0*([0-9]{1,2}))?$/.exec(part);
      if (!match || (one && match[2])) return verdict(false, false, "It is not a product of numbers.");
      // A power of 0 would add a factor that does not divide the number.
      const power = Number(match[2] ?? 1);
      if (power === 0) return verdict(false, true, `${part} is not a prime factor.`);
      for (let i = 0; i < power; i++) {
        const at = left.indexOf(Number(match[1]));
        if (at < 0)
          return verdict(false, true, `${match[1]} is not a prime factor${i > 0 ? " that often" : ""}.`);
        left.splice(at, 1);
      }
    }
    return verdict(one || left.length === 0, true, `${left.join(" and ")} is missing.`);
  },
  nearMisses: ({ answer, data: { factors, one } }) => [
    `1*${answer}`,
    one ? "1" : `${answer}*2`,
    `${answer}^2`,
    `${answer}^0`,
    `${answer}*`,
    ...(factors.length > 1 ? [`${factors.reduce((a, b) => a * b)}`] : []),
  ],
});

const prime = (random: Generator): number =>
  until(
    () => between(random, 1009, 19_997),
    (x) => primes(x).length === 1,
  );
