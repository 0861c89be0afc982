import type { Generator } from "@reins/core";
import { many } from "../tasks/random.ts";

/** A way to go: north, east, south or west. */
export type Way = "n" | "e" | "s" | "w";

/** All ways, in the order in which they are told. */
export const allWays = "nesw";

/** How far each way leads right and down. */
const steps: { readonly [way in Way]: readonly [number, number] } = {
  n: [0, -1],
  e: [1, 0],
  s: [0, 1],
  w: [-1, 0],
};

/** Whether a text is a way. */
export const isWay = (text: string): text is Way => Object.hasOwn(steps, text);

/** The way back. */
export const back = (way: Way): Way => allWays[(allWays.indexOf(way) + 2) % 4] as Way;

/** Cells of a grid, numbered from the left to the right and from the top to the bottom. */
export interface Grid {
  readonly width: number;
  readonly height: number;
}

/** The cell that a way leads to; undefined where the grid ends. */
export function beside(cell: number, way: Way, { width, height }: Grid): number | undefined {
  const [right, down] = steps[way];
  const [x, y] = [(cell % width) + right, Math.floor(cell / width) + down];
  return x < 0 || y < 0 || x >= width || y >= height ? undefined : y * width + x;
}

/** The ways that lead from one cell nearer to another, as `ne`; none from a cell to itself. */
export function towards(from: number, to: number, { width }: Grid): string {
  const [right, down] = [(to % width) - (from % width), Math.floor(to / width) - Math.floor(from / width)];
  return `${down < 0 ? "n" : ""}${right > 0 ? "e" : ""}${down > 0 ? "s" : ""}${right < 0 ? "w" : ""}`;
}

/** The same ways, in the order in which they are told. */
export const inOrder = (ways: Iterable<string>): string => {
  const all = new Set(ways);
  return [...allWays].filter((way) => all.has(way)).join("");
};

/**
 * Joins `count` cells of a grid so that there is one way between any two. Says for each cell which ways are open. `winding` is the chance
 * that it goes on from the newest cell: near 1 there are long ways and few dead ends.
 */
export function grow(random: Generator, grid: Grid, count: number, winding: number): string[] {
  const cells = grid.width * grid.height;
  const open = many(cells, () => "");
  const grown = [random.integers(cells)];
  while (grown.length < count) {
    const from = random.chance(winding) ? grown[grown.length - 1] : random.choice(grown);
    const way = random.choice(allWays) as Way;
    const to = beside(from, way, grid);
    if (to === undefined || grown.includes(to)) {
      // The newest cell may be shut in.
      grown.unshift(grown.pop()!);
      continue;
    }
    join(open, from, way, to);
    grown.push(to);
  }
  return open.map(inOrder);
}

/** Opens the way between two cells. */
export function join(open: string[], from: number, way: Way, to: number): void {
  open[from] += way;
  open[to] += back(way);
}

/** The shortest walk from a cell to one that is wanted, as ways one after another; undefined where there is none. */
export function walk(
  from: number,
  next: (cell: number) => Iterable<readonly [way: string, cell: number]>,
  wanted: (cell: number) => boolean,
): string | undefined {
  const walks = new Map([[from, ""]]);
  for (const [cell, way] of walks) {
    if (wanted(cell)) return way;
    for (const [step, to] of next(cell)) if (!walks.has(to)) walks.set(to, way + step);
  }
  return undefined;
}
