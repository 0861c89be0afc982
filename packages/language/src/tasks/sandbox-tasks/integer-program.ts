import { fraction } from "../../tools/fraction.ts";
import { textTask } from "../text-task.ts";
import { judge, type Linear, linear, said } from "./linear.ts";

/** Objective, variables, rows, the largest factor, and the slack, at each level. */
const sizes = [
  [["max"], 1, 1, 9, 1],
  [["max"], 2, 1, 9, 1],
  [["max", "min"], 2, 2, 9, 1],
  [["max", "min"], 2, 3, 15, 1],
  [["max", "min"], 3, 2, 15, 1],
  [["max", "min"], 3, 3, 20, 1],
  [["max", "min"], 4, 4, 20, 1],
  [["max", "min"], 4, 4, 20, 4],
] as const;

/**
 * The best integers, by branch and bound: the last variable is as good as the others allow, and branches that cannot
 * improve are cut.
 */
function search({ goal, costs, rows, limits }: Linear): number[] {
  const n = costs.length;
  const max = goal === "max";
  let best: number[] = [];
  let reached = max ? -1 : Number.POSITIVE_INFINITY;
  const x = new Array<number>(n).fill(0);
  // Maximum value, or minimum cost, per unit of each limit for the variables from the i-th on.
  const rates = rows.map((row) =>
    costs.map((_, i) => {
      const from = costs.map((c, k) => c / row[k]).slice(i);
      return max ? Math.max(...from) : Math.min(...from);
    }),
  );
  const visit = (i: number, left: readonly number[], value: number) => {
    const possible = left.map((l, r) => value + Math.max(0, l) * rates[r][i]);
    if (max ? Math.min(...possible) <= reached : Math.max(...possible) >= reached) return;
    // Maximum useful value of this variable: up to a limit, or until it reaches each limit alone or costs too much.
    const bounds = left.flatMap((l, r) => (rows[r][i] === 0 ? [] : [l / rows[r][i]]));
    const most = max
      ? Math.floor(Math.min(...bounds))
      : Math.min(Math.max(0, ...bounds.map(Math.ceil)), Math.floor((reached - value) / costs[i]));
    for (let v = most; v >= 0; v--) {
      x[i] = v;
      const rest = left.map((l, r) => l - v * rows[r][i]);
      const sum = value + v * costs[i];
      if (i < n - 1) visit(i + 1, rest, sum);
      else if ((max ? sum > reached : sum < reached) && (max || rest.every((l) => l <= 0))) {
        reached = sum;
        best = [...x];
      }
      // Less of the last variable is worse or infeasible.
      if (i === n - 1) break;
    }
  };
  visit(0, limits, 0);
  return best;
}

/** Integer linear programs; any best solution is right. */
export const integerProgram = textTask<Linear & { best: number }>({
  id: "integer-program",
  about:
    "Find non-negative integers that satisfy all constraints and maximise (max) or minimise (min) the sum.",
  levels: sizes.length,
  alphabet: "0123456789maxinyzw+<>=;, ",
  longest: { prompt: 110, answer: 14 },
  make(random, level) {
    const [goals, variables, rows, most, room] = sizes[level - 1];
    const program = linear(random, random.choice(goals), variables, rows, most, room);
    const x = search(program);
    const best = x.reduce((s, v, i) => s + v * program.costs[i], 0);
    return { prompt: said(program), answer: x.join(","), data: { ...program, best } };
  },
  verify: ({ data: { best, ...program } }, answer) => judge(program, fraction(best), answer, true),
  nearMisses({ answer, data: { goal, costs } }) {
    const x = answer.split(",");
    const more = goal === "max" ? `${+x[0] + 1}` : `${+x[0] + 7}`;
    return [
      [more, ...x.slice(1)].join(","),
      `${answer},0`,
      costs.map(() => (goal === "max" ? "0" : "99")).join(","),
      `${x[0]}.5${answer.slice(x[0].length)}`,
      `-1${answer.slice(x[0].length)}`,
    ];
  },
});
