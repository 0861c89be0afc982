import { stripped, verdict, wholes } from "../answers.ts";
import { between, some } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Number of numbers, the least and most of them in the sum, and the largest number. */
const sizes = [
  [3, 2, 2, 9],
  [4, 2, 2, 20],
  [5, 2, 3, 30],
  [6, 2, 4, 50],
  [7, 3, 5, 99],
  [9, 3, 6, 199],
  [12, 4, 8, 499],
  [16, 6, 10, 999],
] as const;

/** Choose numbers with a given sum. The numbers are distinct; any choice with that sum is right. */
export const subsets = textTask<{ numbers: number[]; sum: number }>({
  id: "subsets",
  about: "Choose numbers that have a given sum.",
  levels: sizes.length,
  alphabet: "0123456789,:=",
  longest: { prompt: 69, answer: 39 },
  make(random, level) {
    const [count, least, most, high] = sizes[level - 1];
    const numbers = some(
      random,
      count,
      Array.from({ length: high }, (_, i) => i + 1),
    );
    const chosen = new Set(some(random, between(random, least, most), numbers));
    const sum = [...chosen].reduce((a, b) => a + b);
    return {
      prompt: `${numbers.join(",")}:${sum}=`,
      answer: numbers.filter((x) => chosen.has(x)).join(","),
      data: { numbers, sum },
    };
  },
  verify({ data: { numbers, sum } }, answer) {
    const parts = wholes(stripped(answer), numbers.length);
    if (!parts?.every((x) => numbers.includes(Number(x))) || new Set(parts).size !== parts.length)
      return verdict(false, false, "It is not a selection of the numbers.");
    const total = parts.reduce((a, x) => a + Number(x), 0);
    return verdict(total === sum, true, `Their sum is ${total}.`);
  },
  nearMisses({ answer, data: { numbers, sum } }) {
    const all = numbers.reduce((a, b) => a + b);
    return [
      ...(numbers.includes(sum) ? [] : [`${sum}`]),
      ...(all === sum ? [] : [numbers.join(",")]),
      `${answer},0`,
      `${answer},${answer}`,
      answer.replaceAll(",", "+"),
      answer.slice(answer.indexOf(",") + 1),
    ];
  },
});
