import { grow } from "../../tools/formula.ts";
import { between, many } from "../random.ts";
import { numbered } from "../single.ts";

/** Number of numbers, the largest one, the operators, and whether there are parentheses. */
const sizes = [
  [3, 9, "+-", false],
  [3, 9, "+-", true],
  [3, 9, "+-*", true],
  [4, 20, "+-*", true],
  [5, 50, "+-*/", true],
  [6, 99, "+-*/", true],
  [8, 99, "+-*/", true],
  [10, 99, "+-*/", true],
] as const;

/** Formulas of several numbers, with parentheses from level 2 on. */
export const expressions = numbered({
  id: "expressions",
  about: "Evaluate a formula with parentheses.",
  levels: sizes.length,
  alphabet: "0123456789+-*/()=",
  longest: { prompt: 46, answer: 6 },
  make(random, level) {
    const [count, most, operators, nested] = sizes[level - 1];
    const numbers = many(count, () => between(random, 0, most));
    if (nested) {
      const { text, value } = grow(random, numbers, operators);
      return [`${text}=`, value];
    }
    const minus = many(count, (i) => i > 0 && random.random() < 0.5);
    const text = numbers.map((x, i) => (i === 0 ? x : `${minus[i] ? "-" : "+"}${x}`)).join("");
    return [`${text}=`, numbers.reduce((sum, x, i) => (minus[i] ? sum - x : sum + x), 0)];
  },
});
