import type { ChessMove, Color, PieceKind } from "./rules.ts";

/** Cells of the board. */
const squares = 64;
/** Underpromotions, in the order of actions. */
const lesser: readonly PieceKind[] = ["n", "b", "r"];

/** Number of actions: from each square to each, and 72 underpromotions. */
export const actions = squares * squares + lesser.length * 8 * 3;

/** A square from the side to move: 0 is the left corner of its first rank, with the board's files. */
export function squareOf(name: string, color: Color): number {
  const file = name.charCodeAt(0) - 97;
  const rank = name.charCodeAt(1) - 49;
  return 8 * (color === "w" ? rank : 7 - rank) + file;
}

/**
 * The action of a move, from the side to move: `64 · from + to`, including queen promotions. Underpromotions are
 * `4096 + 24 · piece + 3 · file + way`: knight, bishop or rook, the file, and left capture, ahead or right
 * capture.
 */
export function actionOf({ from, to, promotion }: ChessMove, color: Color): number {
  const [a, b] = [squareOf(from, color), squareOf(to, color)];
  const piece = promotion === undefined ? -1 : lesser.indexOf(promotion);
  if (piece < 0) return squares * a + b;
  return squares * squares + 24 * piece + 3 * (a % 8) + (b % 8) - (a % 8) + 1;
}
