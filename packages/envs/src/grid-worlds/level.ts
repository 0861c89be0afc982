import { fail } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { empty, grey, wall } from "./symbols.ts";

/** Maximum number of moving objects per level. */
export const mostObstacles = 32;
/** Attempts at placing an object before it fails. */
const mostTries = 100_000;

/**
 * The initial state of an episode: the content of each cell, the agent's position, and the mission. A generator
 * clears it and fills it in; the object is reused, so that beginning an episode allocates nothing.
 */
export class Level {
  readonly width: number;
  readonly height: number;
  /** Kind, color and status of each cell, line by line. */
  readonly cells: Uint8Array;
  x = -1;
  y = -1;
  /** 0 right, 1 down, 2 left, 3 up. */
  direction = 0;
  /** The target of the mission: a kind, a color, and its initial cell. */
  targetKind = 0;
  targetColor = 0;
  targetCell = -1;
  /** Cells of moving objects. */
  readonly obstacles = new Int32Array(mostObstacles);
  obstacleCount = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.cells = new Uint8Array(3 * width * height);
  }

  /** Clears all cells and the agent. */
  clear(): void {
    for (let cell = 0; cell < this.width * this.height; cell++) this.fill(cell, empty, 0, 0);
    this.x = this.y = this.targetCell = -1;
    this.direction = this.targetKind = this.targetColor = this.obstacleCount = 0;
  }

  fill(cell: number, kind: number, color: number, status: number): void {
    this.cells[3 * cell] = kind;
    this.cells[3 * cell + 1] = color;
    this.cells[3 * cell + 2] = status;
  }

  set(x: number, y: number, kind: number, color = 0, status = 0): void {
    this.fill(y * this.width + x, kind, color, status);
  }

  kindAt(x: number, y: number): number {
    return this.cells[3 * (y * this.width + x)];
  }

  /** Walls around a rectangle. */
  frame(x: number, y: number, width: number, height: number): void {
    for (let i = 0; i < width; i++) {
      this.set(x + i, y, wall, grey);
      this.set(x + i, y + height - 1, wall, grey);
    }
    for (let j = 0; j < height; j++) {
      this.set(x, y + j, wall, grey);
      this.set(x + width - 1, y + j, wall, grey);
    }
  }

  /** A random free cell of a rectangle: empty, and at least `apart` steps from the agent. */
  freeCell(random: Generator, x = 0, y = 0, width = this.width, height = this.height, apart = 1): number {
    const [left, top] = [Math.max(x, 0), Math.max(y, 0)];
    const right = Math.min(left + width, this.width);
    const low = Math.min(top + height, this.height);
    for (let tries = 0; tries < mostTries; tries++) {
      const column = random.integers(left, right);
      const line = random.integers(top, low);
      const distance = this.x < 0 ? apart : Math.abs(column - this.x) + Math.abs(line - this.y);
      if (this.kindAt(column, line) === empty && distance >= apart) return line * this.width + column;
    }
    return fail(
      "grid world",
      `no free cell from ${left}, ${top} to ${right - 1}, ${low - 1}. Make the level larger.`,
    );
  }

  /** Puts the agent into a random free cell, facing a random direction. */
  placeAgent(random: Generator, x = 0, y = 0, width = this.width, height = this.height): void {
    this.x = this.y = -1;
    const cell = this.freeCell(random, x, y, width, height);
    this.x = cell % this.width;
    this.y = Math.floor(cell / this.width);
    this.direction = random.integers(0, 4);
  }

  /** A copy to keep. */
  copy(): Level {
    const other = new Level(this.width, this.height);
    other.cells.set(this.cells);
    other.obstacles.set(this.obstacles);
    const { x, y, direction, targetKind, targetColor, targetCell, obstacleCount } = this;
    return Object.assign(other, { x, y, direction, targetKind, targetColor, targetCell, obstacleCount });
  }

  /** A text key, equal for equal levels. */
  get digest(): string {
    const { x, y, direction, targetKind, targetColor, targetCell } = this;
    return [this.width, x, y, direction, targetKind, targetColor, targetCell, this.cells.join()].join();
  }
}

/** Generates a level from random numbers only. */
export type LevelGenerator = (level: Level, random: Generator) => void;
