import { stripped, verdict } from "../answers.ts";
import { many } from "../random.ts";
import { textTask } from "../text-task.ts";

const names = "abcdefgh";
/**
 * Number of rows, the maximum cost of a cell, and the part of it that is the cell's own, at each level. The rest is
 * the cost of its row and column: where that dominates, the cheapest cells are a poor guide.
 */
const sizes = [
  [2, 9, 9],
  [2, 99, 99],
  [3, 9, 9],
  [3, 99, 99],
  [4, 99, 99],
  [5, 99, 99],
  [6, 99, 99],
  [7, 99, 59],
  [8, 99, 19],
] as const;

/** The cheapest assignment by dynamic programming over sets of used columns: exact, and small enough for eight rows. */
function cheapest(costs: readonly (readonly number[])[]): { least: number; columns: number[] } {
  const n = costs.length;
  const least = new Array<number>(1 << n).fill(Number.POSITIVE_INFINITY);
  const last = new Array<number>(1 << n).fill(0);
  least[0] = 0;
  for (let taken = 0; taken < least.length; taken++) {
    const row = [...Array(n).keys()].filter((c) => taken & (1 << c)).length;
    for (let c = 0; c < n && row < n; c++) {
      const next = taken | (1 << c);
      if (next === taken || least[taken] + costs[row][c] >= least[next]) continue;
      least[next] = least[taken] + costs[row][c];
      last[next] = c;
    }
  }
  const columns: number[] = [];
  for (let taken = least.length - 1; taken > 0; taken &= ~(1 << columns[0])) columns.unshift(last[taken]);
  return { least: least[least.length - 1], columns };
}

/** The assignment problem; any cheapest assignment is right. */
export const assignment = textTask<{ costs: readonly (readonly number[])[]; least: number }>({
  id: "assignment",
  about: "Assign a different column (a, b, …) to each row, with the smallest total cost.",
  levels: sizes.length,
  alphabet: `0123456789${names} /=`,
  longest: { prompt: 192, answer: 8 },
  make(random, level) {
    const [n, most, own] = sizes[level - 1];
    const shares = () => many(n, () => random.integers(((most - own) >> 1) + 1));
    const [rows, columnCosts] = [shares(), shares()];
    const costs = rows.map((row) => columnCosts.map((column) => row + column + random.integers(own + 1)));
    const { least, columns } = cheapest(costs);
    return {
      prompt: `${costs.map((row) => row.join(" ")).join("/")}=`,
      answer: columns.map((c) => names[c]).join(""),
      data: { costs, least },
    };
  },
  verify({ data: { costs, least } }, answer) {
    const text = stripped(answer);
    const columns = text.length === costs.length ? [...text].map((c) => names.indexOf(c)) : [];
    const known = columns.every((c) => c >= 0 && c < costs.length);
    const formed = known && new Set(columns).size === costs.length;
    if (!formed) return verdict(false, false, "Name each column once.");
    const sum = columns.reduce((s, c, row) => s + costs[row][c], 0);
    return verdict(sum === least, true, `It costs ${sum}; ${least} is possible.`);
  },
  nearMisses: ({ answer }) => [
    answer[0].repeat(answer.length),
    answer.slice(1),
    `${answer}a`,
    answer.toUpperCase(),
  ],
});
