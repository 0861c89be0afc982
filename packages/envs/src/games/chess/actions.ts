import type { ChessMove, Color, PieceKind } from "./rules.ts";

/** Cells of the board. */
const squares = 64;
/** What a pawn may become beside a queen, in the order of actions. */
const lesser: readonly PieceKind[] = ["n", "b", "r"];

/** Actions in all: from each square to each, and 72 ways to become less than a queen. */
export const actions = squares * squares + lesser.length * 8 * 3;

/** A square from the side of who plays: 0 is the left corner of the own first rank, whose files are those of the board. */
export function squareOf(name: string, color: Color): number {
  const file = name.charCodeAt(0) - 97;
  const rank = name.charCodeAt(1) - 49;
  return 8 * (color === "w" ? rank : 7 - rank) + file;
}

/**
 * The action of a move, from the side of who plays: `64 · from + to`, promotions to a queen among them. To become less is
 * `4096 + 24 · piece + 3 · file + way`: knight, bishop or rook, from which file, and to the left, ahead or to the right.
 */
export function actionOf({ from, to, promotion }: ChessMove, color: Color): number {
  const [a, b] = [squareOf(from, color), squareOf(to, color)];
  const piece = promotion === undefined ? -1 : lesser.indexOf(promotion);
  if (piece < 0) return squares * a + b;
  return squares * squares + 24 * piece + 3 * (a % 8) + (b % 8) - (a % 8) + 1;
}
