import type { Generator } from "@reins/core/random";
import { between, many, until } from "../random.ts";
import { listed } from "../single.ts";

/** Number of numbers, the largest one, and the number and kinds of steps. */
const sizes = [
  [3, 8, 1, "+"],
  [4, 9, 1, "+r"],
  [4, 9, 1, "+*rs"],
  [5, 20, 2, "+*rs><"],
  [6, 30, 3, "+-*rs><eot"],
  [8, 50, 4, "+-*%rs><eotdu"],
  [10, 99, 5, "+-*%rs><eotduc"],
  [12, 99, 7, "+-*%rs><eotduc"],
] as const;

/**
 * Small programs on lists. +3 -3 *3 %3 apply to every number; >3 <3, e and o keep greater, less, even and odd ones;
 * t3 and d3 take and drop three; r reverses, s sorts, u keeps the first of equal ones, c makes running sums.
 */
export const lists = listed({
  id: "lists",
  about: "Run a program on a list of numbers.",
  levels: sizes.length,
  alphabet: "0123456789-+*%<>rseotduc,:=",
  longest: { prompt: 64, answer: 60 },
  make(random, level) {
    const [count, most, steps, kinds] = sizes[level - 1];
    const [numbers, program, result] = until(
      () => {
        const numbers = many(count, () => between(random, 0, most));
        const program = many(steps, () => step(random, random.choice(kinds), level === 1 ? 1 : most));
        return [numbers, program, program.reduce(run, numbers)] as const;
      },
      // At least half of the numbers must remain: short answers are easily guessed.
      ([, , result]) => result.length * 2 >= count && result.join(",").length <= 60,
    );
    return [`${[numbers.join(","), ...program].join(":")}=`, result.join(",")];
  },
});

function step(random: Generator, kind: string, most: number): string {
  if ("rseouc".includes(kind)) return kind;
  if ("td".includes(kind)) return `${kind}${between(random, 1, kind === "t" ? 9 : 3)}`;
  return `${kind}${kind === "*" || kind === "%" ? between(random, 2, 9) : between(random, 1, most)}`;
}

function run(numbers: readonly number[], step: string): readonly number[] {
  const k = Number(step.slice(1));
  switch (step[0]) {
    case "+":
      return numbers.map((x) => x + k);
    case "-":
      return numbers.map((x) => x - k);
    case "*":
      return numbers.map((x) => x * k);
    case "%":
      return numbers.map((x) => ((x % k) + k) % k);
    case ">":
      return numbers.filter((x) => x > k);
    case "<":
      return numbers.filter((x) => x < k);
    case "e":
      return numbers.filter((x) => x % 2 === 0);
    case "o":
      return numbers.filter((x) => x % 2 !== 0);
    case "t":
      return numbers.slice(0, k);
    case "d":
      return numbers.slice(k);
    case "r":
      return [...numbers].reverse();
    case "s":
      return [...numbers].sort((a, b) => a - b);
    case "u":
      return [...new Set(numbers)];
    default: {
      let sum = 0;
      return numbers.map((x) => (sum += x));
    }
  }
}
