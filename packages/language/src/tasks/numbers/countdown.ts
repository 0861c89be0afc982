import { evaluate, grow } from "../../tools/formula.ts";
import { stripped, verdict } from "../answers.ts";
import { between, many, until } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Number of numbers, the largest one, the operators, and the largest target. */
const sizes = [
  [2, 20, "+-", 40],
  [2, 20, "+-*/", 400],
  [3, 9, "+-*", 99],
  [3, 25, "+-*/", 99],
  [4, 9, "+-*/", 99],
  [4, 25, "+-*/", 999],
  [5, 50, "+-*/", 999],
  [6, 99, "+-*/", 999],
  [6, 99, "+-*/", 99_999],
] as const;

/** Reach a target with some of the numbers, each used at most once. Intermediate fractions are allowed. */
export const countdown = textTask<{ numbers: number[]; target: number }>({
  id: "countdown",
  about: "Reach a target from numbers, each used at most once.",
  levels: sizes.length,
  alphabet: "0123456789+-*/(),:=",
  longest: { prompt: 24, answer: 27 },
  make(random, level) {
    const [count, most, operators, far] = sizes[level - 1];
    const numbers = many(count, () => between(random, 1, most));
    // The formula uses the numbers in another order than the prompt. Their sum always passes.
    const { text, value } = until(
      () => grow(random, random.permutation(numbers), operators),
      (drawn) => drawn.value > 0 && drawn.value <= far && !numbers.includes(drawn.value),
    );
    return { prompt: `${numbers.join(",")}:${value}=`, answer: text, data: { numbers, target: value } };
  },
  verify({ data: { numbers, target } }, answer) {
    const result = evaluate(stripped(answer), numbers.length);
    if (!result) return verdict(false, false, "It is not a formula of these numbers.");
    const left = [...numbers];
    for (const x of result.numbers) {
      const at = left.indexOf(x);
      if (at < 0) return verdict(false, false, `${x} is not among the numbers, or used twice.`);
      left.splice(at, 1);
    }
    const { n, d } = result.value;
    return verdict(
      d === 1n && n === BigInt(target),
      true,
      `It is ${n}${d === 1n ? "" : `/${d}`}, not ${target}.`,
    );
  },
  nearMisses: ({ answer, data: { numbers, target } }) => [
    `${target}`,
    `${answer}+0`,
    `${answer}*1*1*1*1*1*1*1`,
    `-(${answer})`,
    `(${answer}`,
    `${answer})`,
    `${answer}=${target}`,
    `${target}/(${numbers[0]}-${numbers[0]})`,
  ],
});
