import type { Generator } from "@reins/core/random";
import { type ConnectFourBoard, width } from "./connect-four-board.ts";
import { ConnectFourSearch } from "./connect-four-search.ts";

/** Chooses an open column of a position that has one. */
export type ConnectFourPlayer = (board: ConnectFourBoard, random: Generator) => number;

/** A random open column. */
export const randomPlayer: ConnectFourPlayer = (board, random) => {
  let open = 0;
  for (let column = 0; column < width; column++) if (board.open(column)) open++;
  let skip = random.integers(0, open);
  let column = 0;
  while (!board.open(column) || skip-- > 0) column++;
  return column;
};

/** Plays a winning move, else blocks one, else plays at random. */
export const greedyPlayer: ConnectFourPlayer = (board, random) => {
  const own = board.stones & 1;
  for (let other = 0; other < 2; other++)
    for (let column = 0; column < width; column++)
      if (board.open(column) && board.wins(column, other ? 1 - own : own)) return column;
  return randomPlayer(board, random);
};

/** Searches `depth` stones ahead, and plays one of the best columns. */
export function searchPlayer(depth: number): ConnectFourPlayer {
  const search = new ConnectFourSearch(depth);
  return (board, random) => {
    const best = search.look(board);
    const { values } = search;
    let equal = 0;
    for (let column = 0; column < width; column++) if (values[column] === best) equal++;
    let skip = random.integers(0, equal);
    let column = 0;
    while (values[column] !== best || skip-- > 0) column++;
    return column;
  };
}
