import type { Generator } from "@reins/core/random";
import { stripped, verdict } from "../answers.ts";
import { many, some } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Rows and columns of a box, and the number of missing digits. */
const sizes = [
  [2, 2, 1],
  [2, 2, 3],
  [2, 2, 6],
  [2, 2, 10],
  [2, 3, 10],
  [2, 3, 20],
  [3, 3, 12],
  [3, 3, 28],
  [3, 3, 48],
] as const;

/**
 * Sudoku of 4, 6 and 9 digits. The answer lists the missing digits in reading order; any that completes the grid is
 * right.
 */
export const sudoku = textTask<{ grid: string; box: [rows: number, columns: number] }>({
  id: "sudoku",
  about: "Complete a sudoku.",
  levels: sizes.length,
  alphabet: "123456789./=",
  longest: { prompt: 90, answer: 48 },
  make(random, level) {
    const [rows, columns, missing] = sizes[level - 1];
    const side = rows * columns;
    const full = complete(random, rows, columns);
    const gaps = new Set(
      some(
        random,
        missing,
        many(side * side, (i) => i),
      ),
    );
    const grid = full.map((digit, i) => (gaps.has(i) ? "." : digit)).join("");
    const lines = many(side, (i) => grid.slice(i * side, (i + 1) * side));
    return {
      prompt: `${lines.join("/")}=`,
      answer: full.filter((_, i) => gaps.has(i)).join(""),
      data: { grid, box: [rows, columns] },
    };
  },
  verify({ data: { grid, box } }, answer) {
    const given = stripped(answer);
    const gaps = grid.split(".").length - 1;
    if (given.length !== gaps || !/^[1-9]+$/.test(given))
      return verdict(false, false, `It is not ${gaps} digits.`);
    const [rows, columns] = box;
    const side = rows * columns;
    let next = 0;
    const seen = new Set<string>();
    for (let i = 0; i < grid.length; i++) {
      const digit = grid[i] === "." ? given[next++] : grid[i];
      const [r, c] = [Math.floor(i / side), i % side];
      if (Number(digit) > side) return verdict(false, true, `There is no ${digit} in this grid.`);
      for (const place of [
        `row ${r + 1}`,
        `column ${c + 1}`,
        `box ${Math.floor(r / rows) + 1}.${Math.floor(c / columns) + 1}`,
      ]) {
        if (seen.has(`${place} ${digit}`)) return verdict(false, true, `${digit} is twice in ${place}.`);
        seen.add(`${place} ${digit}`);
      }
    }
    return verdict(true, true, "");
  },
  nearMisses({ answer, data: { grid, box } }) {
    const side = box[0] * box[1];
    // A changed digit in a complete grid occurs twice in its row.
    const other = `${(Number(answer[0]) % side) + 1}${answer.slice(1)}`;
    return [other, grid.replace(".", answer), `${answer}1`, answer.slice(1), `${answer.slice(1)}0`];
  },
});

/** A full grid: a regular one with rows, columns and digits shuffled in ways that keep it valid. */
function complete(random: Generator, rows: number, columns: number): string[] {
  const side = rows * columns;
  const lines = (bands: number, size: number) =>
    Array.from(random.permutation(bands)).flatMap((band) =>
      Array.from(random.permutation(size)).map((i) => band * size + i),
    );
  const [down, across, digits] = [lines(columns, rows), lines(rows, columns), random.permutation(side)];
  return down.flatMap((r) =>
    across.map((c) => `${digits[(columns * (r % rows) + Math.floor(r / rows) + c) % side] + 1}`),
  );
}
