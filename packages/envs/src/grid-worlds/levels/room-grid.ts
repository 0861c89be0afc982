import type { Generator } from "@reins/core/random";
import type { Level } from "../level.ts";
import { door, empty, locked } from "../symbols.ts";

/** Rooms of one size side by side, which share walls. Sides are right (0), below (1), left (2) and above (3). */
export class RoomGrid {
  /** From one room to the next. */
  readonly step: number;
  private readonly columns: number;
  private readonly lines: number;
  private readonly size: number;
  /** Door positions along the right and lower wall of each room. */
  private readonly doorY: Int32Array;
  private readonly doorX: Int32Array;
  /** Sides of each room that are open or have a door, a bit each, and which rooms are locked. */
  private readonly openings: Uint8Array;
  private readonly isLocked: Uint8Array;

  constructor(columns: number, lines: number, size: number) {
    this.columns = columns;
    this.lines = lines;
    this.size = size;
    this.step = size - 1;
    this.doorY = new Int32Array(columns * lines);
    this.doorX = new Int32Array(columns * lines);
    this.openings = new Uint8Array(columns * lines);
    this.isLocked = new Uint8Array(columns * lines);
  }

  /** Walls around all rooms, and door positions. */
  draw(level: Level, random: Generator): void {
    const { columns, lines, size, step } = this;
    this.openings.fill(0);
    this.isLocked.fill(0);
    for (let line = 0; line < lines; line++)
      for (let column = 0; column < columns; column++) level.frame(column * step, line * step, size, size);
    for (let line = 0; line < lines; line++)
      for (let column = 0; column < columns; column++) {
        const [left, top] = [column * step, line * step];
        const room = line * columns + column;
        if (column < columns - 1) this.doorY[room] = random.integers(top + 1, top + step);
        if (line < lines - 1) this.doorX[room] = random.integers(left + 1, left + step);
      }
  }

  /** The room beyond a side, or -1. */
  private neighbour(column: number, line: number, side: number): number {
    const x = column + (side === 0 ? 1 : side === 2 ? -1 : 0);
    const y = line + (side === 1 ? 1 : side === 3 ? -1 : 0);
    return x < 0 || y < 0 || x >= this.columns || y >= this.lines ? -1 : y * this.columns + x;
  }

  private connect(column: number, line: number, side: number): void {
    this.openings[line * this.columns + column] |= 1 << side;
    this.openings[this.neighbour(column, line, side)] |= 1 << ((side + 2) % 4);
  }

  /** Removes a whole wall. */
  openWall(level: Level, column: number, line: number, side: number): void {
    const { step } = this;
    const [left, top] = [column * step, line * step];
    for (let i = 1; i < step; i++) {
      const x = side === 0 ? left + step : side === 2 ? left : left + i;
      const y = side === 1 ? top + step : side === 3 ? top : top + i;
      level.set(x, y, empty);
    }
    this.connect(column, line, side);
  }

  addDoor(level: Level, column: number, line: number, side: number, color: number, status: number): void {
    const { step, columns } = this;
    // The door of a wall belongs to the room on its left or above it.
    const owner = side < 2 ? line * columns + column : this.neighbour(column, line, side);
    const x = side === 0 ? (column + 1) * step : side === 2 ? column * step : this.doorX[owner];
    const y = side === 1 ? (line + 1) * step : side === 3 ? line * step : this.doorY[owner];
    level.set(x, y, door, color, status);
    this.isLocked[line * columns + column] = status === locked ? 1 : 0;
    this.connect(column, line, side);
  }

  /** Puts an object into a room, not next to the agent; returns its cell. */
  place(level: Level, random: Generator, column: number, line: number, kind: number, color: number): number {
    const { step, size } = this;
    const cell = level.freeCell(random, column * step, line * step, size, size, 2);
    level.fill(cell, kind, color, 0);
    return cell;
  }

  placeAgent(level: Level, random: Generator, column: number, line: number): void {
    level.placeAgent(random, column * this.step, line * this.step, this.size, this.size);
  }

  /** Whether a side has another room behind it and no door yet, and neither room is locked. */
  mayConnect(column: number, line: number, side: number): boolean {
    const room = line * this.columns + column;
    const other = this.neighbour(column, line, side);
    if (other < 0 || (this.openings[room] >> side) & 1) return false;
    return this.isLocked[room] === 0 && this.isLocked[other] === 0;
  }

  /** Whether all rooms are reachable from one, given all keys. Rooms are bits. */
  isConnected(column: number, line: number): boolean {
    const { columns, lines, openings } = this;
    let reached = 1 << (line * columns + column);
    for (let before = 0; before !== reached; ) {
      before = reached;
      for (let room = 0; room < columns * lines; room++) {
        if (((reached >> room) & 1) === 0) continue;
        for (let side = 0; side < 4; side++)
          if ((openings[room] >> side) & 1)
            reached |= 1 << this.neighbour(room % columns, Math.floor(room / columns), side);
      }
    }
    return reached === 2 ** (columns * lines) - 1;
  }
}
