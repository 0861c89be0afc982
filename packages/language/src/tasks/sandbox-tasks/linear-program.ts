import { combine, type Fraction, fraction, written } from "../../tools/fraction.ts";
import { until } from "../random.ts";
import { textTask } from "../text-task.ts";
import { better, feasible, judge, type Linear, linear, objective, said } from "./linear.ts";

/** Objective, variables, rows, the largest factor, and whether the solution needs all variables, at each level. */
const sizes = [
  [["max"], 1, 1, 9, false],
  [["max"], 1, 2, 9, false],
  [["max", "min"], 2, 1, 9, false],
  [["max", "min"], 2, 2, 9, false],
  [["max", "min"], 2, 3, 20, false],
  [["max", "min"], 3, 3, 20, false],
  [["max", "min"], 3, 3, 20, true],
] as const;

/** Vertices, where as many limits as variables are tight: one of them is optimal if anything is. */
function corners({ costs, rows, limits }: Linear): Fraction[][] {
  const n = costs.length;
  const axes = costs.map((_, i) => costs.map((_, k) => (i === k ? 1 : 0)));
  const lines = [...rows.map((row, i) => [...row, limits[i]]), ...axes.map((axis) => [...axis, 0])];
  const found: Fraction[][] = [];
  const choose = (from: number, chosen: number[][]) => {
    if (chosen.length === n) {
      const corner = solved(chosen);
      if (corner) found.push(corner);
    } else for (let i = from; i < lines.length; i++) choose(i + 1, [...chosen, lines[i]]);
  };
  choose(0, []);
  return found;
}

/** The unique solution of n equations, each its factors and its right side; undefined if there is none. */
function solved(equations: number[][]): Fraction[] | undefined {
  const m = equations.map((row) => row.map((f) => fraction(f)));
  const n = m.length;
  for (let c = 0; c < n; c++) {
    const pivot = m.findIndex((row, i) => i >= c && row[c].n !== 0n);
    if (pivot < 0) return undefined;
    [m[c], m[pivot]] = [m[pivot], m[c]];
    m[c] = m[c].map((f) => combine("/", f, m[c][c])!);
    for (let i = 0; i < n; i++)
      if (i !== c) m[i] = m[i].map((f, k) => combine("-", f, combine("*", m[i][c], m[c][k])!)!);
  }
  return m.map((row) => row[n]);
}

const bestOf = (program: Linear): Fraction[] =>
  corners(program)
    .filter((x) => feasible(program, x))
    .reduce((a, b) => (better(program, objective(program, b), objective(program, a)) ? b : a));

/**
 * The point where all rows are tight, if it is positive and optimal: by duality, if no shadow price is negative. For
 * as many rows as variables.
 */
function crossing({ costs, rows, limits }: Linear): Fraction[] | undefined {
  const x = solved(rows.map((row, i) => [...row, limits[i]]));
  if (!x?.every(({ n }) => n > 0n)) return undefined;
  const worths = solved(costs.map((cost, i) => [...rows.map((row) => row[i]), cost]));
  return worths?.every(({ n }) => n >= 0n) ? x : undefined;
}

/** Linear programs; any best solution is right; their numbers are fractions. */
export const linearProgram = textTask<Linear & { best: string }>({
  id: "linear-program",
  about:
    "Find non-negative numbers that satisfy all constraints and maximise (max) or minimise (min) the sum.",
  levels: sizes.length,
  alphabet: "0123456789maxinyz+<>=;/, ",
  longest: { prompt: 70, answer: 40 },
  make(random, level) {
    const [goals, variables, rows, most, all] = sizes[level - 1];
    const [program, best] = until(
      () => {
        const drawn = linear(random, random.choice(goals), variables, rows, most);
        return [drawn, all ? crossing(drawn) : bestOf(drawn)] as const;
      },
      ([, x]) => x !== undefined,
    );
    return {
      prompt: said(program),
      answer: best!.map(written).join(","),
      data: { ...program, best: written(objective(program, best!)) },
    };
  },
  verify({ data: { best, ...program } }, answer) {
    const [n, d = "1"] = best.split("/");
    return judge(program, fraction(BigInt(n), BigInt(d)), answer, false);
  },
  nearMisses({ answer, data: { costs } }) {
    const first = answer.split(",")[0];
    return [
      `${answer},0`,
      costs.map(() => "0").join(","),
      costs.map(() => "99999").join(","),
      `-1${answer.slice(first.length)}`,
      first.repeat(41),
      `${answer}/0`,
    ];
  },
});
