import type { Generator } from "@reins/core";
import { distancesFrom, type Maze, randomMaze } from "./maze-levels.ts";

/** A maze with moss, which grows near its goal where nature made it. */
export interface MossLevel extends Maze {
  readonly moss: Uint8Array;
}

/** How likely moss is on the goal and as many steps from it as the place in the list says; beyond it is the last. */
const growth = [1, 0.9, 0.3, 0.02];

/** A level as they are found: its goal can be reached, and moss tells where it is. */
export function mossLevel(random: Generator, size: number, share: number): MossLevel {
  const maze = randomMaze(random, size, share);
  const steps = distancesFrom(maze.walls, size, maze.goal);
  const moss = maze.walls.map((wall, cell) =>
    !wall && random.random() < growth[Math.min(steps[cell], growth.length - 1)] ? 1 : 0,
  );
  return { ...maze, moss };
}

/** What a level consists of as one row of numbers: walls, moss, and a 1 where it begins and where its goal is. */
export function mossRow({ walls, moss, start, goal }: MossLevel): Float32Array {
  const cells = walls.length;
  const row = new Float32Array(4 * cells);
  row.set(walls);
  row.set(moss, cells);
  row[2 * cells + start] = row[3 * cells + goal] = 1;
  return row;
}

/** The likeliest level by such a row of scores, above 0 where there is something; beginning and goal lie apart and in no wall. There may be no way between them. */
export function likeliestMoss(row: ArrayLike<number>, size: number): MossLevel {
  const cells = size * size;
  const walls = Uint8Array.from({ length: cells }, (_, cell) => (row[cell] > 0 ? 1 : 0));
  const best = (from: number, other = -1) => {
    let found = -1;
    for (let cell = 0; cell < cells; cell++)
      if (!walls[cell] && cell !== other && (found < 0 || row[from + cell] > row[from + found])) found = cell;
    // Walls all over: this one is taken down.
    return found < 0 ? (other + 1) % cells : found;
  };
  const goal = best(3 * cells);
  const start = best(2 * cells, goal);
  walls[goal] = walls[start] = 0;
  const moss = walls.map((wall, cell) => (!wall && row[cells + cell] > 0 ? 1 : 0));
  return { walls, moss, start, goal, distance: distancesFrom(walls, size, start)[goal] };
}

/** A level after some edits, each of which builds or takes down a wall, plants or removes moss, or moves the beginning or the goal, somewhere. */
export function editedMoss(random: Generator, level: MossLevel, size: number, edits: number): MossLevel {
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
