import type { Generator } from "@reins/core/random";
import type { ChessGame, ChessMove, PieceKind } from "./rules.ts";

/** Chooses a move for the side to move. */
export type ChessPlayer = (game: ChessGame, random: Generator) => ChessMove;

/** Piece values in pawns; the king is never captured. */
const worth: Readonly<Record<PieceKind, number>> = { p: 1, n: 3, b: 3.1, r: 5, q: 9, k: 0 };
/** More than all pieces together. */
const mate = 1000;

/** Plays a random move. */
export const randomChess: ChessPlayer = (game, random) => {
  const moves = game.moves({ verbose: true });
  return moves[random.integers(0, moves.length)];
};

/** Searches `depth` half-moves ahead, evaluates material, and plays a random one of the best moves. */
export const searchingChess =
  (depth: number): ChessPlayer =>
  (game, random) => {
    let [best, chosen] = [Number.NEGATIVE_INFINITY, [] as ChessMove[]];
    for (const move of game.moves({ verbose: true })) {
      // A bound slightly below the best detects equally good moves.
      const value = gained(game, move, depth, best - 0.01, Number.POSITIVE_INFINITY);
      if (value > best) [best, chosen] = [value, [move]];
      else if (value === best) chosen.push(move);
    }
    return chosen[random.integers(0, chosen.length)];
  };

/** Material gain of a move: its capture minus the best reply's gain. */
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

/** Best material gain of the side to move: alpha-beta. */
function answered(game: ChessGame, depth: number, alpha: number, beta: number): number {
  let best = Number.NEGATIVE_INFINITY;
  // The largest captures first: they cut off most.
  const moves = [...game.moves({ verbose: true })].sort((a, b) => value(b) - value(a));
  for (const move of moves) {
    best = Math.max(best, gained(game, move, depth, Math.max(alpha, best), beta));
    if (best >= beta) break;
  }
  return best;
}

const value = ({ captured }: ChessMove) => (captured ? worth[captured] : 0);
