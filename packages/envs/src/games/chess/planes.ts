import type { ChessGame, Color, PieceKind } from "./rules.ts";

const kinds: readonly PieceKind[] = ["p", "n", "b", "r", "q", "k"];

/**
 * Observation planes: 6 of own pieces, 6 of the opponent's, 4 castling rights, en passant, the 50-move counter, a
 * repetition.
 */
export const planes = 19;

/**
 * Writes a position, [8, 8, planes], from one side: its first rank is the lowest row. Pieces and the en passant
 * square are 255; the other planes are constant: castling rights (own king's and queen's side, then the
 * opponent's), the 50-move counter as a fraction, and whether the position is repeated.
 */
export function writePlanes(
  game: ChessGame,
  repeated: boolean,
  color: Color,
  seen: Uint8Array,
  from: number,
): void {
  seen.fill(0, from, from + 64 * planes);
  // The board comes from the eighth rank down, which is the far side of White.
  const line = (y: number) => (color === "w" ? y : 7 - y);
  game.board().forEach((rank, y) =>
    rank.forEach((piece, x) => {
      if (!piece) return;
      const plane = kinds.indexOf(piece.type) + (piece.color === color ? 0 : 6);
      seen[from + (8 * line(y) + x) * planes + plane] = 255;
    }),
  );
  const fill = (plane: number, level: number) => {
    for (let cell = 0; level > 0 && cell < 64; cell++) seen[from + cell * planes + plane] = level;
  };
  const [own, other] = [color, color === "w" ? "b" : "w"].map((c) => game.getCastlingRights(c as Color));
  [own.k, own.q, other.k, other.q].forEach((right, i) => fill(12 + i, right ? 255 : 0));
  const [, , , passant, quiet] = game.fen().split(" ");
  if (passant !== "-") {
    const [x, y] = [passant.charCodeAt(0) - 97, 56 - passant.charCodeAt(1)];
    seen[from + (8 * line(y) + x) * planes + 16] = 255;
  }
  fill(17, Math.min(255, Math.round(2.55 * Number(quiet))));
  fill(18, repeated ? 255 : 0);
}
