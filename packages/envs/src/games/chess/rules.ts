import { fail } from "@reins/core";

/** White or black, as in chess.js. */
export type Color = "w" | "b";
/** A piece type: pawn, knight, bishop, rook, queen, king. */
export type PieceKind = "p" | "n" | "b" | "r" | "q" | "k";

/** A move, with the fields used here. Squares are written as `e4`. */
export interface ChessMove {
  readonly from: string;
  readonly to: string;
  readonly captured?: PieceKind;
  readonly promotion?: PieceKind;
}

/** A game of the package `chess.js`, with the methods used here. */
export interface ChessGame {
  turn(): Color;
  fen(): string;
  moves(options: { readonly verbose: true }): readonly ChessMove[];
  move(move: ChessMove): unknown;
  undo(): unknown;
  board(): readonly (readonly ({ readonly type: PieceKind; readonly color: Color } | null)[])[];
  getCastlingRights(color: Color): { readonly k: boolean; readonly q: boolean };
  isCheckmate(): boolean;
  /**
   * Stalemate, insufficient material, threefold repetition, or 50 moves of each side without a pawn move or a
   * capture.
   */
  isDraw(): boolean;
}

/** The exports of `chess.js`. */
interface Rules {
  readonly Chess: new (fen?: string) => ChessGame;
}

let rules: Rules | undefined;

/**
 * Sets the chess rules where they cannot be loaded by name: in browsers and in bundles.
 *
 * import * as chess from "chess.js";
 * useChess(chess);
 */
export function useChess(chess: object): void {
  if (!("Chess" in chess))
    fail("useChess", 'pass the module: import * as chess from "chess.js"; useChess(chess).');
  rules = chess as Rules;
}

/** A new game. The rules are an optional dependency. */
export const newGame = (fen?: string): ChessGame => new (rulesFor("Chess-v0").Chess)(fen);

/** The rules, loaded on first use. */
export function rulesFor(id: string): Rules {
  rules ??= found(id);
  return rules;
}

function found(id: string): Rules {
  // Environments are created synchronously, so nothing can be awaited; and a static import would fail where
  // chess.js is not installed.
  const node = globalThis.process?.getBuiltinModule?.("node:module");
  const here: string | undefined = import.meta.url;
  if (!node || !here)
    fail(
      id,
      'it needs chess.js. Run: npm install chess.js; then import * as chess from "chess.js" and useChess(chess).',
    );
  try {
    return node.createRequire(here)("chess.js");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "MODULE_NOT_FOUND") throw error;
    return fail(id, "chess.js is not installed. Run: npm install chess.js");
  }
}
