import { stripped, verdict } from "../answers.ts";
import { many, until } from "../random.ts";
import { textTask } from "../text-task.ts";

/** Side of the maze, fraction of walls, and the minimum number of steps. */
const sizes = [
  [3, 0.12, 1],
  [4, 0.2, 2],
  [5, 0.25, 3],
  [6, 0.3, 4],
  [7, 0.3, 6],
  [8, 0.35, 8],
  [9, 0.35, 10],
  [10, 0.38, 13],
] as const;

const steps: Record<string, readonly [number, number]> = { u: [-1, 0], d: [1, 0], l: [0, -1], r: [0, 1] };

/** Mazes of rows separated by /: from S to E around the walls #, in as few steps u, d, l, r as possible. */
export const mazes = textTask<{ rows: string[]; shortest: number }>({
  id: "mazes",
  about: "Walk through a maze in as few steps as possible.",
  levels: sizes.length,
  alphabet: "SE.#/=udlr",
  longest: { prompt: 110, answer: 60 },
  make(random, level) {
    const [side, walls, least] = sizes[level - 1];
    const [cells, end, way] = until(
      () => {
        const cells: string[] = many(side * side, () => (random.random() < walls ? "#" : "."));
        const start = random.integers(side * side);
        cells[start] = "S";
        const far = [...walks(cells, side, start)].filter(
          ([, way]) => way.length >= least && way.length <= 60,
        );
        const [end, way] = far.length > 0 ? random.choice(far) : [-1, ""];
        return [cells, end, way] as const;
      },
      ([, end]) => end >= 0,
    );
    cells[end] = "E";
    const rows = many(side, (r) => cells.slice(r * side, (r + 1) * side).join(""));
    return { prompt: `${rows.join("/")}=`, answer: way, data: { rows, shortest: way.length } };
  },
  verify({ data: { rows, shortest } }, answer) {
    const way = stripped(answer);
    if (!/^[udlr]+$/.test(way)) return verdict(false, false, "It is not made of u, d, l and r.");
    let r = rows.findIndex((row) => row.includes("S"));
    let c = rows[r].indexOf("S");
    for (const move of way) {
      [r, c] = [r + steps[move][0], c + steps[move][1]];
      if ((rows[r]?.[c] ?? "#") === "#")
        return verdict(false, true, `There is a wall at row ${r + 1}, column ${c + 1}.`);
    }
    if (rows[r][c] !== "E") return verdict(false, true, "It does not end at E.");
    return verdict(way.length === shortest, true, `${shortest} steps are enough.`);
  },
  nearMisses: ({ answer }) => [
    answer.slice(1),
    answer.slice(0, -1),
    `${answer}${answer[answer.length - 1]}`,
    [...answer].map((move) => ({ u: "d", d: "u", l: "r", r: "l" })[move]).join(""),
    answer.toUpperCase(),
    [...answer].join(" ").concat("."),
  ],
});

/** A shortest path from a cell to each reachable one, by breadth-first search. */
function walks(cells: readonly string[], side: number, start: number): Map<number, string> {
  const ways = new Map([[start, ""]]);
  for (const [cell, way] of ways)
    for (const [move, [down, right]] of Object.entries(steps)) {
      const [r, c] = [Math.floor(cell / side) + down, (cell % side) + right];
      const next = r * side + c;
      if (r >= 0 && r < side && c >= 0 && c < side && cells[next] !== "#" && !ways.has(next))
        ways.set(next, way + move);
    }
  return ways;
}
