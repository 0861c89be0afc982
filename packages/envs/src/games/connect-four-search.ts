import type { ConnectFourBoard } from "./connect-four-board.ts";
import { height, size, width } from "./connect-four-board.ts";

/** Columns from the middle outwards, where most groups of four are: good moves first cut the others off. */
const order = [3, 2, 4, 1, 5, 0, 6] as const;
/** A value above that of any position without four in a row. */
const winning = 10_000;
const entries = 1 << 16;
const [exact, atLeast, atMost] = [0, 1, 2];

/**
 * Searches `depth` stones ahead: negamax with alpha-beta bounds and a transposition table (Knuth and Moore, "An
 * Analysis of Alpha-Beta Pruning", 1975). Entries of earlier searches are ignored, so that results depend on the
 * position only.
 */
export class ConnectFourSearch {
  /** Value of each column for the player to move, as far as searched; full columns have the lowest value. */
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
   * Value of the position for the player to move, with `values` of the best columns. Others are only known to be
   * worse, and may have any smaller value. See `movesToEnd` for the meaning of large values.
   */
  look(board: ConnectFourBoard): number {
    this.search++;
    const { values } = this;
    values.fill(-winning - size - 1);
    let best = -winning - size;
    for (const column of order) {
      if (!board.open(column)) continue;
      // One below the best: an equally good move is detected.
      values[column] = this.after(board, column, this.depth, best - 1, winning + size);
      best = Math.max(best, values[column]);
    }
    return best;
  }

  /** Value of a column for the player to move. */
  private after(board: ConnectFourBoard, column: number, depth: number, low: number, high: number): number {
    // Earlier wins are better: the value of a win counts the remaining stones.
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
      // In one search a position is always met at the same depth, so a stored value is as deep as the requested
      // one.
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
 * Stones until four in a row under optimal play within the search, counted from a position with this many stones:
 * positive if the player to move wins, negative if it loses, and undefined if the value is not a decided game.
 */
export function movesToEnd(value: number, stones: number): number | undefined {
  if (Math.abs(value) < winning) return undefined;
  const left = size - (Math.abs(value) - winning) - stones;
  return value > 0 ? left : -left;
}
