import { fail } from "@reins/core";
import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type LevelCounts, type LevelSplit, levelCounts } from "../grid-worlds/level-set.ts";

/** A small maze: its walls, start, goal, and the shortest path length. */
export interface Maze {
  readonly walls: Uint8Array;
  readonly start: number;
  readonly goal: number;
  readonly distance: number;
}

/** The neighbouring cell in a direction (up, right, down, left): the same cell at the edge or a wall. */
export function cellBeside(walls: Uint8Array, size: number, cell: number, direction: number): number {
  const [line, column] = [Math.floor(cell / size), cell % size];
  const [down, right] = [line + [-1, 0, 1, 0][direction], column + [0, 1, 0, -1][direction]];
  if (down < 0 || right < 0 || down >= size || right >= size) return cell;
  const next = down * size + right;
  return walls[next] ? cell : next;
}

/** Shortest path lengths from one cell to each; Infinity if unreachable. */
export function distancesFrom(walls: Uint8Array, size: number, start: number): Float64Array {
  const distances = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  distances[start] = 0;
  const reached = [start];
  for (const cell of reached)
    for (let direction = 0; direction < 4; direction++) {
      const next = cellBeside(walls, size, cell, direction);
      if (distances[next] < Number.POSITIVE_INFINITY) continue;
      distances[next] = distances[cell] + 1;
      reached.push(next);
    }
  return distances;
}

/** A maze with a fraction of wall cells and a reachable goal. */
export function randomMaze(random: Generator, size: number, share: number): Maze {
  for (;;) {
    const walls = Uint8Array.from({ length: size * size }, () => (random.random() < share ? 1 : 0));
    const [start, goal] = [random.integers(size * size), random.integers(size * size)];
    walls[start] = walls[goal] = 0;
    const distance = distancesFrom(walls, size, start)[goal];
    if (start !== goal && Number.isFinite(distance)) return { walls, start, goal, distance };
  }
}

/** The mazes of one side of a split; no test maze occurs in training. */
export function mazeSet(
  id: string,
  { size, walls }: { readonly size: number; readonly walls: number },
  counts: LevelCounts | number,
  split: LevelSplit,
): readonly Maze[] {
  const {
    train,
    test = train,
    seed = 0,
  } = levelCounts(id, counts) ?? fail(id, "no levels given. Set levels to 1 or more.");
  const of = (side: LevelSplit, i: number) =>
    randomMaze(defaultRng(stream(seed, `${side} maze`, i)), size, walls);
  const trained = Array.from({ length: train }, (_, i) => of("train", i));
  if (split === "train") return trained;
  const known = new Set(trained.map(keyOf));
  const tested: Maze[] = [];
  for (let i = 0; tested.length < test; i++) {
    if (i >= 50 * test)
      fail(
        id,
        `there are too few mazes of ${size} × ${size} cells for ${test} new test mazes. Use a larger size or fewer levels.`,
      );
    const maze = of("test", i);
    if (!known.has(keyOf(maze))) tested.push(maze);
  }
  return tested;
}

const keyOf = ({ walls, start, goal }: Maze): string => `${walls.join("")} ${start} ${goal}`;
