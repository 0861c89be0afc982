import type { ConnectFourBoard } from "./connect-four-board.ts";
import { height, size, width } from "./connect-four-board.ts";

/** Columns from the middle outwards, where most groups of four are: good moves come first and cut the others off. */
const order = [3, 2, 4, 1, 5, 0, 6] as const;
/** No position is worth as much without four in a row. */
const winning = 10_000;
const entries = 1 << 16;
const [exact, atLeast, atMost] = [0, 1, 2];

/**
 * Looks `depth` stones ahead: negamax with alpha-beta bounds and a table of positions that several orders of moves lead to (Knuth and Moore,
 * "An Analysis of Alpha-Beta Pruning", 1975). Entries of earlier searches are not used, so that what is found depends on the position only.
 */
export class ConnectFourSearch {
  /** What each column is worth to who moves, as far as it was looked at; columns that are full are worth nothing at all. */
  readonly values = new Int32Array(width);
  private readonly depth: number;
  private readonly lows = new Int32Array(entries);
  private readonly highs = new Int32Array(entries);
  private readonly kept = new Int32Array(entries);
  private readonly bounds = new Int8Array(entries);
  private readonly searches = new Int32Array(entries);
  private search = 0;

  constructor(depth: number) {
    this.depth = depth;
  }

  /**
   * What the position is worth to who moves, and `values` of the best columns with it. Others are only known to be worse, and may have any smaller
   * value. See `movesToEnd` for what large values mean.
   */
  look(board: ConnectFourBoard): number {
    this.search++;
    const { values } = this;
    values.fill(-winning - size - 1);
    let best = -winning - size;
    for (const column of order) {
      if (!board.open(column)) continue;
      // One below the best: a move that is exactly as good is found to be.
      values[column] = this.after(board, column, this.depth, best - 1, winning + size);
      best = Math.max(best, values[column]);
    }
    return best;
  }

  /** What throwing into a column is worth to who does it. */
  private after(board: ConnectFourBoard, column: number, depth: number, low: number, high: number): number {
    // Soon is better than late: the value of a win counts the stones that are left.
    if (board.wins(column, board.stones & 1)) return winning + size - board.stones - 1;
    board.play(column);
    const value = -this.value(board, depth - 1, -high, -low);
    board.undo(column);
    return value;
  }

  private value(board: ConnectFourBoard, depth: number, low: number, high: number): number {
    if (board.stones === size) return 0;
    if (depth === 0) return board.stones & 1 ? -board.balance : board.balance;
    const at = (board.low ^ (board.low >>> 16)) & (entries - 1);
    const known = this.searches[at] === this.search && this.lows[at] === board.low;
    if (known && this.highs[at] === board.high) {
      const value = this.kept[at];
      const bound = this.bounds[at];
      // In one search a position is always met at the same depth, so what is known of it is as deep as what is asked.
      if (bound === exact || (bound === atLeast ? value >= high : value <= low)) return value;
    }
    let best = -winning - size;
    let reached = low;
    for (let i = 0; i < width && best < high; i++) {
      const column = order[i];
      if (board.heights[column] === height) continue;
      best = Math.max(best, this.after(board, column, depth, reached, high));
      reached = Math.max(reached, best);
    }
    this.searches[at] = this.search;
    this.lows[at] = board.low;
    this.highs[at] = board.high;
    this.kept[at] = best;
    this.bounds[at] = best >= high ? atLeast : best <= low ? atMost : exact;
    return best;
  }
}

/**
 * Stones until four are in a row if both play as well as the search sees, counted from a position with so many on the board: positive where who
 * moves wins, negative where they lose, and undefined where the value is no end that was seen.
 */
export function movesToEnd(value: number, stones: number): number | undefined {
  if (Math.abs(value) < winning) return undefined;
  const left = size - (Math.abs(value) - winning) - stones;
  return value > 0 ? left : -left;
}
