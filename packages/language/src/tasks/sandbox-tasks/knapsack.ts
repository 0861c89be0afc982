import { stripped, verdict } from "../answers.ts";
import { between, many } from "../random.ts";
import { textTask } from "../text-task.ts";

const names = "abcdefghijklmnopqrstuvwxyz";
/**
 * Number of items, maximum weight and value, and maximum difference of value and weight, at each level. Where that is
 * small, no item is a bargain and only how well the capacity is used matters.
 */
const sizes = [
  [2, 9, 9],
  [3, 9, 9],
  [4, 20, 20],
  [5, 30, 30],
  [6, 40, 40],
  [8, 60, 60],
  [10, 99, 99],
  [13, 99, 99],
  [10, 99, 9],
  [13, 99, 4],
] as const;

interface Sack {
  readonly room: number;
  readonly weights: readonly number[];
  readonly worths: readonly number[];
  /** The maximum value for the capacity. */
  readonly best: number;
}

/** The best choice for each capacity, by whether the last item is in it (Bellman). */
function fill(
  room: number,
  weights: readonly number[],
  worths: readonly number[],
): { best: number; chosen: number[] } {
  const rows = [new Array<number>(room + 1).fill(0)];
  weights.forEach((weight, i) => {
    const before = rows[i];
    rows.push(
      before.map((worth, r) => (r < weight ? worth : Math.max(worth, before[r - weight] + worths[i]))),
    );
  });
  const chosen: number[] = [];
  for (let i = weights.length, r = room; i > 0; i--)
    if (rows[i][r] !== rows[i - 1][r]) {
      chosen.unshift(i - 1);
      r -= weights[i - 1];
    }
  return { best: rows[weights.length][room], chosen };
}

/** The knapsack problem; any choice of maximum value is right. */
export const knapsack = textTask<Sack>({
  id: "knapsack",
  about:
    "Choose items, written weight:value, with the largest total value. Their total weight must not exceed the last number.",
  levels: sizes.length,
  alphabet: `0123456789${names}: |=`,
  longest: { prompt: 95, answer: 13 },
  make(random, level) {
    const [count, most, far] = sizes[level - 1];
    const weights = many(count, () => between(random, 1, most));
    const worths = weights.map((w) => between(random, Math.max(1, w - far), Math.min(most, w + far)));
    const total = weights.reduce((a, b) => a + b);
    // At least the lightest item fits, and never all of them.
    const room = Math.max(
      Math.min(...weights),
      Math.min(total - 1, between(random, total >> 2, (3 * total) >> 2)),
    );
    const { best, chosen } = fill(room, weights, worths);
    const things = weights.map((w, i) => `${names[i]}${w}:${worths[i]}`);
    return {
      prompt: `${things.join(" ")}|${room}=`,
      answer: chosen.map((i) => names[i]).join(""),
      data: { room, weights, worths, best },
    };
  },
  verify({ data: { room, weights, worths, best } }, answer) {
    const text = stripped(answer);
    const short = text.length <= weights.length;
    const chosen = short ? [...text].map((c) => names.indexOf(c)) : [];
    const known = chosen.every((i) => i >= 0 && i < weights.length);
    const formed = short && text !== "" && known && new Set(chosen).size === chosen.length;
    if (!formed) return verdict(false, false, "Name each thing once.");
    const sum = (of: readonly number[]) => chosen.reduce((s, i) => s + of[i], 0);
    if (sum(weights) > room)
      return verdict(false, true, `It weighs ${sum(weights)}; the capacity is ${room}.`);
    return verdict(sum(worths) === best, true, `It is worth ${sum(worths)}; ${best} is possible.`);
  },
  nearMisses: ({ answer, data: { weights } }) => [
    names.slice(0, weights.length),
    answer.slice(1),
    answer + answer[0],
    answer.toUpperCase(),
    [...answer].join(" ") + " ,",
  ],
});
