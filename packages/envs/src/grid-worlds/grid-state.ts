import { type Level, mostObstacles } from "./level.ts";
import { empty, stepX, stepY } from "./symbols.ts";
import type { GridWorldDefinition } from "./world.ts";

/** The state of many copies of a grid world, in columns. */
export type GridState = {
  /** Kind, color and status of each cell, line by line, row after row. */
  readonly cells: Uint8Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly direction: Int32Array;
  /** Steps of the episode. */
  readonly steps: Int32Array;
  /** The carried object; kind 0 is nothing. */
  readonly heldKind: Int32Array;
  readonly heldColor: Int32Array;
  readonly targetKind: Int32Array;
  readonly targetColor: Int32Array;
  readonly targetCell: Int32Array;
  readonly obstacles: Int32Array;
  readonly obstacleCount: Int32Array;
};

/** Columns for this many copies, before any level has begun. */
export function gridState(rows: number, { width, height }: GridWorldDefinition): GridState {
  const column = () => new Int32Array(rows);
  return {
    cells: new Uint8Array(rows * 3 * width * height),
    x: column(),
    y: column(),
    direction: column(),
    steps: column(),
    heldKind: column(),
    heldColor: column(),
    targetKind: column(),
    targetColor: column(),
    targetCell: column(),
    obstacles: new Int32Array(rows * mostObstacles),
    obstacleCount: column(),
  };
}

/** Begins a level in a row. */
export function enterLevel(state: GridState, row: number, level: Level): void {
  const size = level.cells.length;
  for (let i = 0; i < size; i++) state.cells[row * size + i] = level.cells[i];
  for (let i = 0; i < level.obstacleCount; i++) state.obstacles[row * mostObstacles + i] = level.obstacles[i];
  state.obstacleCount[row] = level.obstacleCount;
  state.x[row] = level.x;
  state.y[row] = level.y;
  state.direction[row] = level.direction;
  state.targetKind[row] = level.targetKind;
  state.targetColor[row] = level.targetColor;
  state.targetCell[row] = level.targetCell;
  state.steps[row] = state.heldKind[row] = state.heldColor[row] = 0;
}

/** Byte offset of a row's cell. */
export function bytesOf({ width, height }: GridWorldDefinition, row: number, cell: number): number {
  return 3 * (row * width * height + cell);
}

/** Byte offset of the cell in front of the agent. */
export function frontOf({ x, y, direction }: GridState, world: GridWorldDefinition, row: number): number {
  const column = x[row] + stepX[direction[row]];
  const line = y[row] + stepY[direction[row]];
  return bytesOf(world, row, line * world.width + column);
}

/** Writes an object into the cell at a byte offset. */
export function put({ cells }: GridState, at: number, kind: number, color: number): void {
  cells[at] = kind;
  cells[at + 1] = color;
  cells[at + 2] = 0;
}

/** Empties the cell at a byte offset. */
export function takeAway(state: GridState, at: number): void {
  put(state, at, empty, 0);
}
