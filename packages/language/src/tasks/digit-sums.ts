import { many } from "./random.ts";
import { numbered } from "./single.ts";
import { worked } from "./worked-answers.ts";

/** Cells of a row. Those without a digit have a dot. */
const cells = 12;

/** The last digit of the sum of a row's digits: two at the first level, one more at each. */
export const digitSums = numbered({
  id: "digit-sums",
  about: "Add the digits of a row, and give the last digit of the sum.",
  levels: 9,
  alphabet: "0123456789.=",
  longest: { prompt: cells + 1, answer: 1 },
  make(random, level) {
    const digits = many(level + 1, () => random.integers(10));
    return [`${digits.join("").padEnd(cells, ".")}=`, digits.reduce((a, b) => a + b) % 10];
  },
});

/**
 * The same with the sums so far as work, a cell a step. Going on after the last digit changes nothing: that is what overthinking is
 * here.
 */
export const workedDigitSums = worked(digitSums, {
  steps({ prompt }) {
    let sum = 0;
    return [...prompt.slice(0, cells)].map((c) => `${(sum = (sum + (c === "." ? 0 : Number(c))) % 10)}`);
  },
  longest: cells,
});
