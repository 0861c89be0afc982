import { defaultRng } from "@reins/core/random";

/** Columns and rows of a board. */
export const width = 7;
export const height = 6;
/** Cells of a board, row by row from the bottom. */
export const size = width * height;

/** All groups of four cells in a row, and for each cell its groups. */
const fours = foursOf();
const foursAt: readonly Int8Array[] = Array.from({ length: size }, (_, cell) =>
  Int8Array.from(fours.flatMap((four, i) => (four.includes(cell) ? [i] : []))),
);

function foursOf(): number[][] {
  const found: number[][] = [];
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ])
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const [endX, endY] = [x + 3 * dx, y + 3 * dy];
        if (endX >= width || endY < 0 || endY >= height) continue;
        found.push([0, 1, 2, 3].map((k) => (y + k * dy) * width + x + k * dx));
      }
  return found;
}

/** Value of a group by the player's number of stones, while the other player has none. */
const worth = [0, 1, 4, 16, 0];

/** Zobrist hashing: two numbers for each stone in each cell, combined into the key of a position. */
const names = Int32Array.from({ length: 4 * size }, nameMaker());

function nameMaker(): () => number {
  const random = defaultRng(4);
  return () => random.integers(0, 2 ** 32) | 0;
}

/**
 * A position of Connect Four for its players: stones of each player in each group of four, from which a win is
 * detected before it is played, and the value of the position. Stones are played and taken back without
 * allocation.
 */
export class ConnectFourBoard {
  /** Stones on the board. The player to move is 0, the first player, if it is even, and else 1. */
  stones = 0;
  /** Value of the groups of the first player minus that of the second. */
  balance = 0;
  /** The hash of the position, in two halves. */
  low = 0;
  high = 0;
  /** The stone in each cell: 0 none, 1 of the first player, 2 of the second. */
  readonly cells = new Int8Array(size);
  /** Stones in each column. */
  readonly heights = new Int8Array(width);
  /** Cells of each group that each player has. */
  private readonly counts = [new Int8Array(fours.length), new Int8Array(fours.length)] as const;

  clear(): void {
    this.stones = this.balance = this.low = this.high = 0;
    this.cells.fill(0);
    this.heights.fill(0);
    this.counts[0].fill(0);
    this.counts[1].fill(0);
  }

  /** Loads the position whose cells begin at `at`. */
  load(cells: Int8Array, at: number): void {
    this.clear();
    for (let cell = 0; cell < size; cell++)
      if (cells[at + cell] !== 0) {
        this.change(cell, cells[at + cell] - 1, 1);
        this.heights[cell % width]++;
        this.stones++;
      }
  }

  /** Whether a column is open. */
  open(column: number): boolean {
    return this.heights[column] < height;
  }

  /** Whether a stone of the player in this open column makes four. */
  wins(column: number, player: number): boolean {
    const groups = foursAt[this.heights[column] * width + column];
    const counts = this.counts[player];
    for (let i = 0; i < groups.length; i++) if (counts[groups[i]] === 3) return true;
    return false;
  }

  /** The player to move plays an open column. */
  play(column: number): void {
    this.change(this.heights[column]++ * width + column, this.stones++ & 1, 1);
  }

  /** Takes back the last stone, which is in this column. */
  undo(column: number): void {
    this.change(--this.heights[column] * width + column, --this.stones & 1, -1);
  }

  /** Adds or removes a stone. */
  private change(cell: number, player: number, by: 1 | -1): void {
    const own = this.counts[player];
    const other = this.counts[1 - player];
    const groups = foursAt[cell];
    let gain = 0;
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i];
      const before = own[group];
      own[group] += by;
      // A group with stones of both players has value 0; the other player's value is lost.
      if (other[group] === 0) gain += worth[before + by] - worth[before];
      else if (before + Math.min(by, 0) === 0) gain += by * worth[other[group]];
    }
    this.balance += player === 0 ? gain : -gain;
    this.cells[cell] = by === 1 ? player + 1 : 0;
    this.low ^= names[4 * cell + 2 * player];
    this.high ^= names[4 * cell + 2 * player + 1];
  }
}
