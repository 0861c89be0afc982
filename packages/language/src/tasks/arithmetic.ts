import { textTask } from "./text-task.ts";

/** Maximum digits of the numbers at each level. */
const digits = [1, 2, 2, 3, 4, 5, 6, 8];

/** Sums and differences of integers; products from level 3 on, and only products from level 7 on. */
export const arithmetic = textTask<{ value: string }>({
  id: "arithmetic",
  about: "Add, subtract and multiply whole numbers.",
  levels: digits.length,
  alphabet: "0123456789+-*=",
  longest: { prompt: 18, answer: 16 },
  make(random, level) {
    const most = 10 ** digits[level - 1];
    const operators = level < 3 ? "+-" : level < 7 ? "+-*" : "*";
    const [a, b] = [BigInt(random.integers(most)), BigInt(random.integers(most))];
    const op = operators[random.integers(operators.length)];
    const value = op === "+" ? a + b : op === "-" ? a - b : a * b;
    return { prompt: `${a}${op}${b}=`, answer: `${value}`, data: { value: `${value}` } };
  },
  verify({ data: { value } }, answer) {
    const text = answer.trim();
    const formed = /^-?\d+$/.test(text);
    // Leading zeros and a negative zero are other spellings of the same number.
    const right = formed && BigInt(text) === BigInt(value);
    return { score: right ? 1 : 0, wellFormed: formed, ...(right ? {} : { why: `It is ${value}.` }) };
  },
  nearMisses: ({ data: { value } }, random) => [
    `${BigInt(value) + 1n}`,
    `${-BigInt(value) - 1n}`,
    `${value}${random.integers(10)}`,
    `${value}=${value}`,
    "",
  ],
});
