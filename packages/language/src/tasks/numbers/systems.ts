import type { Generator } from "@reins/core/random";
import { equal, fraction, parsed, written } from "../../tools/fraction.ts";
import { stripped, verdict } from "../answers.ts";
import { between, many, until } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Largest coefficient and solution from level 3 on, number of unknowns, and whether solutions are integers. */
const sizes = [
  [3, 9, 2, true],
  [6, 12, 2, true],
  [9, 0, 2, false],
  [20, 0, 2, false],
  [5, 9, 3, true],
  [9, 0, 3, false],
] as const;

/** Linear equations in two unknowns, at the highest levels three. The answer gives x, y and z in this order. */
export const systems = textTask<{ solution: string[] }>({
  id: "systems",
  about: "Solve linear equations for two or three unknowns.",
  levels: sizes.length + 2,
  alphabet: "0123456789xyz+-/.=,;",
  longest: { prompt: 51, answer: 38 },
  make(random, level) {
    const [text, solution] = level < 3 ? simple(random, level) : general(random, sizes[level - 3]);
    const names = solution.length === 2 ? "x,y" : "x,y,z";
    return { prompt: `${text};${names}=`, answer: solution.join(","), data: { solution } };
  },
  verify({ data: { solution } }, answer) {
    const values = stripped(answer)
      .split(",", solution.length + 1)
      .map(parsed);
    const formed = values.length === solution.length && values.every((x) => x !== undefined);
    const right = formed && solution.every((x, i) => equal(parsed(x)!, values[i]!));
    return verdict(right, formed, `The solution is ${solution.join(",")}.`);
  },
  nearMisses: ({ answer, data: { solution } }) => [
    ...(solution[0] === solution[1] ? [] : [[solution[1], solution[0], ...solution.slice(2)].join(",")]),
    solution.slice(1).join(","),
    [...solution.slice(1), `${solution[0]}1`].join(","),
    `x=${solution[0]},y=${solution[1]}`,
    `${answer},0`,
    solution.join(";"),
  ],
});

function simple(random: Generator, level: number): [string, string[]] {
  if (level === 1) {
    const [x, b] = [between(random, 0, 20), between(random, 1, 20)];
    return [`x=${x};y=x+${b}`, [`${x}`, `${x + b}`]];
  }
  const [x, y] = many(2, () => between(random, 0, 40));
  return [`x+y=${x + y};x-y=${x - y}`, [`${x}`, `${y}`]];
}

/** Random coefficients, and right sides that give an integer solution or are random too. */
function general(
  random: Generator,
  [most, far, unknowns, isWhole]: (typeof sizes)[number],
): [string, string[]] {
  const number = (high: number) => (random.random() < 0.5 ? -1 : 1) * between(random, 1, high);
  const rows = until(
    () => many(unknowns, () => many(unknowns, () => number(most))),
    (drawn) => determinant(drawn) !== 0,
  );
  const hidden = many(unknowns, () => (isWhole ? between(random, -far, far) : 0));
  const sides = rows.map((row) =>
    isWhole ? row.reduce((sum, a, i) => sum + a * hidden[i], 0) : number(most * 3),
  );
  // Cramer's rule.
  const solution = rows.map((_, i) =>
    fraction(
      determinant(rows.map((row, k) => row.map((a, c) => (c === i ? sides[k] : a)))),
      determinant(rows),
    ),
  );
  return [rows.map((row, i) => `${side(row)}=${sides[i]}`).join(";"), solution.map(written)];
}

function determinant(rows: readonly number[][]): number {
  if (rows.length === 1) return rows[0][0];
  return rows[0].reduce((sum, x, i) => {
    const minor = determinant(rows.slice(1).map((row) => row.filter((_, k) => k !== i)));
    return sum + (i % 2 === 0 ? 1 : -1) * x * minor;
  }, 0);
}

/** `2x-y+3z`. */
const side = (row: readonly number[]): string =>
  row
    .map((a, i) => `${a < 0 ? "-" : i > 0 ? "+" : ""}${Math.abs(a) === 1 ? "" : Math.abs(a)}${"xyz"[i]}`)
    .join("");
