import type { Generator } from "@reins/core/random";
import { many } from "./random.ts";
import { numbered } from "./single.ts";
import { withSteps } from "./solution-steps.ts";

/** Rows of digits below `below`, added modulo `base`. A dot is a cell without a digit. */
interface Rows {
  readonly cells: number;
  readonly below: number;
  readonly base: number;
}

const decimal: Rows = { cells: 12, below: 10, base: 10 };
const fives: Rows = { cells: 11, below: 3, base: 5 };

function drawn({ cells, below, base }: Rows, random: Generator, level: number) {
  const digits = many(level + 1, () => random.integers(below));
  return [`${digits.join("").padEnd(cells, ".")}=`, digits.reduce((a, b) => a + b) % base] as const;
}

/** Partial sums, one cell per step. */
function sums({ cells, base }: Rows, prompt: string): string[] {
  let sum = 0;
  return [...prompt.slice(0, cells)].map((c) => `${(sum = (sum + (c === "." ? 0 : Number(c))) % base)}`);
}

/** The last digit of the sum of a row's digits: two digits at level 1, one more at each level. */
export const digitSums = numbered({
  id: "digit-sums",
  about: "Add the digits of a row, and give the last digit of the sum.",
  levels: 9,
  alphabet: "0123456789.=",
  longest: { prompt: decimal.cells + 1, answer: 1 },
  make: (random, level) => drawn(decimal, random, level),
});

/**
 * Digit sums with partial sums as intermediate steps, one cell per step. Steps after the last digit change nothing:
 * here, they are overthinking.
 */
export const workedDigitSums = withSteps(digitSums, {
  steps: ({ prompt }) => sums(decimal, prompt),
  longest: decimal.cells,
});

/**
 * Digits from 0 to 2 added modulo 5, with partial sums as intermediate steps: a tiny model learns them in seconds,
 * and needs the steps. The teacher overthinks: it usually continues after the last digit, and sometimes stops too
 * early.
 */
export const overthoughtSums = withSteps(
  numbered({
    id: "sums-by-five",
    about: "Add the digits of a row, and give the remainder of the sum divided by 5.",
    levels: 9,
    alphabet: "01234.=",
    longest: { prompt: fives.cells + 1, answer: 1 },
    make: (random, level) => drawn(fives, random, level),
  }),
  {
    steps: ({ prompt }) => sums(fives, prompt),
    longest: fives.cells,
    shown: (random, steps) => Math.max(random.integers(steps + 1), random.integers(steps + 1)),
  },
);
