import type { Generator } from "@reins/core/random";
import { many } from "../../tasks/random.ts";

/** A direction: north, east, south or west. */
export type Way = "n" | "e" | "s" | "w";

/** All directions, in the order of descriptions. */
export const allWays = "nesw";

/** Offsets of each direction, right and down. */
const steps: { readonly [way in Way]: readonly [number, number] } = {
  n: [0, -1],
  e: [1, 0],
  s: [0, 1],
  w: [-1, 0],
};

/** Whether a text is a direction. */
export const isWay = (text: string): text is Way => Object.hasOwn(steps, text);

/** The opposite direction. */
export const back = (way: Way): Way => allWays[(allWays.indexOf(way) + 2) % 4] as Way;

/** Cells of a grid, numbered row by row. */
export interface Grid {
  readonly width: number;
  readonly height: number;
}

/** The neighbour in a direction; undefined beyond the grid. */
export function beside(cell: number, way: Way, { width, height }: Grid): number | undefined {
  const [right, down] = steps[way];
  const [x, y] = [(cell % width) + right, Math.floor(cell / width) + down];
  return x < 0 || y < 0 || x >= width || y >= height ? undefined : y * width + x;
}

/** The directions that lead from one cell nearer to another, as `ne`; empty for the same cell. */
export function towards(from: number, to: number, { width }: Grid): string {
  const [right, down] = [(to % width) - (from % width), Math.floor(to / width) - Math.floor(from / width)];
  return `${down < 0 ? "n" : ""}${right > 0 ? "e" : ""}${down > 0 ? "s" : ""}${right < 0 ? "w" : ""}`;
}

/** Directions in the order of descriptions. */
export const inOrder = (ways: Iterable<string>): string => {
  const all = new Set(ways);
  return [...allWays].filter((way) => all.has(way)).join("");
};

/**
 * Connects `count` cells of a grid by a spanning tree. Returns the open directions of each cell. `winding` is the
 * probability of growing from the newest cell: near 1 there are long paths and few dead ends.
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
      // The newest cell may be enclosed.
      grown.unshift(grown.pop()!);
      continue;
    }
    join(open, from, way, to);
    grown.push(to);
  }
  return open.map(inOrder);
}

/** Opens the connection between two cells. */
export function join(open: string[], from: number, way: Way, to: number): void {
  open[from] += way;
  open[to] += back(way);
}

/** The shortest path from a cell to a wanted one, as directions; undefined where there is none. */
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
