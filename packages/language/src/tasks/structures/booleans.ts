import { between, many, until } from "../random.ts";
import { worded } from "../single.ts";
import { type Formula, grow } from "./formula.ts";

/** Number of variables, number of leaves, and the rate of negations. Level 1 is a row of one operator. */
const sizes = [
  [0, 0, 0],
  [0, 3, 0.2],
  [0, 6, 0.3],
  [2, 4, 0.3],
  [3, 4, 0.3],
  [3, 7, 0.3],
  [4, 8, 0.4],
  [4, 12, 0.4],
  [5, 16, 0.4],
] as const;

/**
 * Formulas of ! & ^ |, in order of precedence. With variables the answer is the column of the truth table: a varies
 * slowest.
 */
export const booleans = worded({
  id: "booleans",
  about: "Evaluate logical formulas and their truth tables.",
  levels: sizes.length,
  alphabet: "01abcde!&|^()=",
  longest: { prompt: 100, answer: 32 },
  form: /^[01]+$/,
  make(random, level) {
    if (level === 1) {
      const [sign, deciding] = random.choice(["&0", "|1"]);
      const bits = many(between(random, 3, 9), () =>
        random.random() < 0.2 ? deciding : `${1 - Number(deciding)}`,
      );
      return [`${bits.join(sign)}=`, bits.includes(deciding) ? deciding : bits[0]];
    }
    const [variables, count, negations] = sizes[level - 1];
    const rows = 2 ** variables;
    const leaf = (i: number): Formula => {
      if (variables === 0) {
        const value = random.random() < 0.5;
        return { text: value ? "1" : "0", binds: 5, value: () => value };
      }
      // Each variable once before any repeats.
      const name = i < variables ? i : random.integers(variables);
      const bit = 1 << (variables - 1 - name);
      return { text: "abcde"[name], binds: 5, value: (row) => (row & bit) !== 0 };
    };
    const [text, table] = until(
      () => {
        const formula = grow(random, random.permutation(many(count, leaf)), negations);
        return [formula.text, many(rows, (row) => (formula.value(row) ? "1" : "0")).join("")] as const;
      },
      // Nearly constant tables could be guessed.
      ([text, table]) => {
        const ones = table.split("1").length - 1;
        return text.length <= 99 && (rows < 8 || (ones >= rows / 4 && ones <= (rows * 3) / 4));
      },
    );
    return [`${text}=`, table];
  },
});
