import type { Generator } from "@reins/core";
import { many } from "./random.ts";
import { numbered } from "./single.ts";
import { worked } from "./worked-answers.ts";

/** Rows of digits below `below` to be added modulo `base`. Cells without a digit have a dot. */
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

/** The sums so far, a cell a step. */
function sums({ cells, base }: Rows, prompt: string): string[] {
  let sum = 0;
  return [...prompt.slice(0, cells)].map((c) => `${(sum = (sum + (c === "." ? 0 : Number(c))) % base)}`);
}

/** The last digit of the sum of a row's digits: two at the first level, one more at each. */
export const digitSums = numbered({
  id: "digit-sums",
  about: "Add the digits of a row, and give the last digit of the sum.",
  levels: 9,
  alphabet: "0123456789.=",
  longest: { prompt: decimal.cells + 1, answer: 1 },
  make: (random, level) => drawn(decimal, random, level),
});

/**
 * The same with the sums so far as work, a cell a step. Going on after the last digit changes nothing: that is what overthinking is
 * here.
 */
export const workedDigitSums = worked(digitSums, {
  steps: ({ prompt }) => sums(decimal, prompt),
  longest: decimal.cells,
});

/**
 * Digits from 0 to 2 to be added modulo 5, with the sums so far as work: a tiny model learns them in seconds, and needs the work. The
 * teacher overthinks: it goes on after the last digit more often than not, and stops too early now and then.
 */
export const overthoughtSums = worked(
  numbered({
    id: "sums-by-five",
    about: "Add the digits of a row, and give the rest of the sum when it is divided by 5.",
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
