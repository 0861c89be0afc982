import type { Generator } from "@reins/core";
import type { ChessGame, ChessMove, PieceKind } from "./rules.ts";

/** Chooses a move for who is to move, who has one. */
export type ChessPlayer = (game: ChessGame, random: Generator) => ChessMove;

/** What pieces are worth, in pawns; the king is never taken. */
const worth: Readonly<Record<PieceKind, number>> = { p: 1, n: 3, b: 3.1, r: 5, q: 9, k: 0 };
/** More than all pieces together. */
const mate = 1000;

/** Plays any move. */
export const randomChess: ChessPlayer = (game, random) => {
  const moves = game.moves({ verbose: true });
  return moves[random.integers(0, moves.length)];
};

/** Looks `depth` half-moves ahead, counts pieces, and takes one of the best moves at random. */
export const searchingChess =
  (depth: number): ChessPlayer =>
  (game, random) => {
    let [best, chosen] = [Number.NEGATIVE_INFINITY, [] as ChessMove[]];
    for (const move of game.moves({ verbose: true })) {
      // A bound a little below the best lets equal moves be seen as such.
      const value = gained(game, move, depth, best - 0.01, Number.POSITIVE_INFINITY);
      if (value > best) [best, chosen] = [value, [move]];
      else if (value === best) chosen.push(move);
    }
    return chosen[random.integers(0, chosen.length)];
  };

/** What a move gains: what it takes, less the most that the answers to it gain. */
function gained(game: ChessGame, move: ChessMove, depth: number, alpha: number, beta: number): number {
  const taken = (move.captured ? worth[move.captured] : 0) + (move.promotion ? worth[move.promotion] - 1 : 0);
  game.move(move);
  const value = game.isCheckmate()
    ? mate + depth
    : game.isDraw()
      ? 0
      : taken - (depth > 1 ? answered(game, depth - 1, taken - beta, taken - alpha) : 0);
  game.undo();
  return value;
}

/** The most that who is to move can gain: alpha-beta. */
function answered(game: ChessGame, depth: number, alpha: number, beta: number): number {
  let best = Number.NEGATIVE_INFINITY;
  // What takes most comes first: it cuts off most.
  const moves = [...game.moves({ verbose: true })].sort((a, b) => value(b) - value(a));
  for (const move of moves) {
    best = Math.max(best, gained(game, move, depth, Math.max(alpha, best), beta));
    if (best >= beta) break;
  }
  return best;
}

const value = ({ captured }: ChessMove) => (captured ? worth[captured] : 0);
