import type { Generator } from "@reins/core/random";
import { distancesFrom, type Maze, randomMaze } from "./maze-levels.ts";

/** A maze with moss, which grows near the goal in sampled levels. */
export interface MossLevel extends Maze {
  readonly moss: Uint8Array;
}

/** Probability of moss by the distance to the goal in steps; the last entry holds beyond the list. */
const growth = [1, 0.9, 0.3, 0.02];

/** A sampled level: its goal is reachable, and moss indicates it. */
export function mossLevel(random: Generator, size: number, share: number): MossLevel {
  const maze = randomMaze(random, size, share);
  const steps = distancesFrom(maze.walls, size, maze.goal);
  const moss = maze.walls.map((wall, cell) =>
    !wall && random.random() < growth[Math.min(steps[cell], growth.length - 1)] ? 1 : 0,
  );
  return { ...maze, moss };
}

/** A level as one row of numbers: walls, moss, and one-hot start and goal. */
export function mossLevelToRow({ walls, moss, start, goal }: MossLevel): Float32Array {
  const cells = walls.length;
  const row = new Float32Array(4 * cells);
  row.set(walls);
  row.set(moss, cells);
  row[2 * cells + start] = row[3 * cells + goal] = 1;
  return row;
}

/** The most likely level of a row of logits; start and goal are separate and not walls. The goal may be unreachable. */
export function mossLevelFromLogits(row: ArrayLike<number>, size: number): MossLevel {
  const cells = size * size;
  const walls = Uint8Array.from({ length: cells }, (_, cell) => (row[cell] > 0 ? 1 : 0));
  const best = (from: number, other = -1) => {
    let found = -1;
    for (let cell = 0; cell < cells; cell++)
      if (!walls[cell] && cell !== other && (found < 0 || row[from + cell] > row[from + found])) found = cell;
    // Walls everywhere: this one is removed.
    return found < 0 ? (other + 1) % cells : found;
  };
  const goal = best(3 * cells);
  const start = best(2 * cells, goal);
  walls[goal] = walls[start] = 0;
  const moss = walls.map((wall, cell) => (!wall && row[cells + cell] > 0 ? 1 : 0));
  return { walls, moss, start, goal, distance: distancesFrom(walls, size, start)[goal] };
}

/** A level after random edits, each of which toggles a wall or moss, or moves the start or the goal. */
export function mutateMossLevel(random: Generator, level: MossLevel, size: number, edits: number): MossLevel {
  const [walls, moss] = [level.walls.slice(), level.moss.slice()];
  let { start, goal } = level;
  for (let i = 0; i < edits; i++) {
    const [what, cell] = [random.integers(4), random.integers(size * size)];
    if (cell === start || cell === goal) continue;
    if (what === 0) walls[cell] = 1 - walls[cell];
    else if (what === 1) moss[cell] = 1 - moss[cell];
    else if (what === 2) start = cell;
    else goal = cell;
    walls[start] = walls[goal] = 0;
    if (walls[cell]) moss[cell] = 0;
  }
  return { walls, moss, start, goal, distance: distancesFrom(walls, size, start)[goal] };
}
