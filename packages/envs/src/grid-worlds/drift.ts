import type { Generator } from "@reins/core/random";
import { bytesOf, type GridState, put, takeAway } from "./grid-state.ts";
import { mostObstacles } from "./level.ts";
import { ball, blue, empty } from "./symbols.ts";
import type { GridWorldDefinition } from "./world.ts";

/** Neighbouring cells that a moving object tries before it stays. */
const mostTries = 101;

/** Each moving object of a row goes to one of the eight neighbouring cells, if one that it tries is free. */
export function drift(state: GridState, world: GridWorldDefinition, row: number, random: Generator): void {
  const { width, height } = world;
  const { cells, obstacles, obstacleCount, x, y } = state;
  const first = row * mostObstacles;
  for (let i = first; i < first + obstacleCount[row]; i++) {
    const left = Math.max(0, (obstacles[i] % width) - 1);
    const top = Math.max(0, Math.floor(obstacles[i] / width) - 1);
    for (let tries = 0; tries < mostTries; tries++) {
      const column = random.integers(left, Math.min(left + 3, width));
      const line = random.integers(top, Math.min(top + 3, height));
      const at = bytesOf(world, row, line * width + column);
      if (cells[at] !== empty || (column === x[row] && line === y[row])) continue;
      put(state, at, ball, blue);
      takeAway(state, bytesOf(world, row, obstacles[i]));
      obstacles[i] = line * width + column;
      break;
    }
  }
}
