import { fail, type Generator } from "@reins/core";
import { empty, grey, wall } from "./symbols.ts";

/** Moving things that a level has room for. */
export const mostObstacles = 32;
/** After so many cells that were not free, what is to be placed finds none. */
const mostTries = 100_000;

/**
 * The first state of an episode: what is in each cell, where the agent stands, and what it is told. A generator clears it and fills it in;
 * it is the same object every time, so that beginning an episode allocates nothing.
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
  /** What the mission is about: a kind, a color, and the cell where it was. */
  targetKind = 0;
  targetColor = 0;
  targetCell = -1;
  /** Cells of things that move by themselves. */
  readonly obstacles = new Int32Array(mostObstacles);
  obstacleCount = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.cells = new Uint8Array(3 * width * height);
  }

  /** Empty cells, and nobody there. */
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

  /** A free cell of a rectangle, drawn at random: nothing is in it, and the agent is at least `apart` steps away. */
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
      `no cell is free from ${left}, ${top} to ${right - 1}, ${low - 1}. Make the level larger.`,
    );
  }

  /** Puts the agent into a free cell, facing anywhere. */
  placeAgent(random: Generator, x = 0, y = 0, width = this.width, height = this.height): void {
    this.x = this.y = -1;
    const cell = this.freeCell(random, x, y, width, height);
    this.x = cell % this.width;
    this.y = Math.floor(cell / this.width);
    this.direction = random.integers(0, 4);
  }

  /** A copy, for keeping. */
  copy(): Level {
    const other = new Level(this.width, this.height);
    other.cells.set(this.cells);
    other.obstacles.set(this.obstacles);
    const { x, y, direction, targetKind, targetColor, targetCell, obstacleCount } = this;
    return Object.assign(other, { x, y, direction, targetKind, targetColor, targetCell, obstacleCount });
  }

  /** Equal for levels that are equal in everything, as a text. */
  get digest(): string {
    const { x, y, direction, targetKind, targetColor, targetCell } = this;
    return [this.width, x, y, direction, targetKind, targetColor, targetCell, this.cells.join()].join();
  }
}

/** Fills in a level from random numbers, and from nothing else. */
export type LevelGenerator = (level: Level, random: Generator) => void;
