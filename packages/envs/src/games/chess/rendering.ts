import type { Rendering, RenderShape } from "@reins/core";
import { boardPicture } from "../board-rendering.ts";
import type { ChessGame, Color } from "./rules.ts";

const edge = 40;

/** Caption: the colors of both players. */
const sides = (color: Color) =>
  color === "w" ? "learner white, opponent black" : "learner black, opponent white";

/** The board in letters, upper case for White, from White's side. */
export function chessText(game: ChessGame, color: Color): string {
  const lines = game.board().map((rank, y) => {
    const cells = rank.map((piece) =>
      !piece ? "·" : piece.color === "w" ? piece.type.toUpperCase() : piece.type,
    );
    return `${8 - y} ${cells.join(" ")}`;
  });
  return [...lines, "  a b c d e f g h", `${sides(color)} (upper case is white)`].join("\n");
}

/** The board with a disc and a letter for each piece, from White's side. */
export function chessPicture(game: ChessGame, color: Color): Rendering {
  const board = game.board();
  const squares = board.map((rank, y) =>
    rank.map((_, x) => ({ color: (x + y) % 2 === 0 ? "#f0d9b5" : "#b58863" }) as const),
  );
  const drawing = boardPicture(squares, { edge, ground: "#6e4a2f", note: sides(color) });
  // Cells start where the first one is drawn.
  const margin = (drawing.width - 8 * edge) / 2;
  const pieces = board.flatMap((rank, y) =>
    rank.flatMap((piece, x): RenderShape[] => {
      if (!piece) return [];
      const [cx, cy] = [margin + (x + 0.5) * edge, margin + (y + 0.5) * edge];
      const white = piece.color === "w";
      const size = edge * 0.4;
      return [
        { kind: "circle", center: [cx, cy], radius: edge * 0.4, color: white ? "#ffffff" : "#24292f" },
        {
          kind: "text",
          text: piece.type.toUpperCase(),
          at: [cx - size * 0.36, cy + size / 2],
          size,
          color: white ? "#24292f" : "#ffffff",
        },
      ];
    }),
  );
  return { ...drawing, shapes: [...drawing.shapes, ...pieces] };
}
