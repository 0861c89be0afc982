import { fail } from "@reins/core";

/** White or black, as chess.js writes it. */
export type Color = "w" | "b";
/** A kind of piece: pawn, knight, bishop, rook, queen, king. */
export type PieceKind = "p" | "n" | "b" | "r" | "q" | "k";

/** A move, as far as it is read here. Squares are written as in `e4`. */
export interface ChessMove {
  readonly from: string;
  readonly to: string;
  readonly captured?: PieceKind;
  readonly promotion?: PieceKind;
}

/** A game of the package `chess.js`, as far as it is called here. */
export interface ChessGame {
  turn(): Color;
  fen(): string;
  moves(options: { readonly verbose: true }): readonly ChessMove[];
  move(move: ChessMove): unknown;
  undo(): unknown;
  board(): readonly (readonly ({ readonly type: PieceKind; readonly color: Color } | null)[])[];
  getCastlingRights(color: Color): { readonly k: boolean; readonly q: boolean };
  isCheckmate(): boolean;
  /** Stalemate, too few pieces, a position for the third time, or 50 moves of each side without a pawn or a capture. */
  isDraw(): boolean;
}

/** What `chess.js` exports. */
interface Rules {
  readonly Chess: new (fen?: string) => ChessGame;
}

let rules: Rules | undefined;

/**
 * Gives chess its rules, where they cannot be found by their name: in browsers and in bundles.
 *
 *     import * as chess from "chess.js";
 *     useChess(chess);
 */
export function useChess(chess: object): void {
  if (!("Chess" in chess)) fail("useChess", 'it takes what `import * as chess from "chess.js"` gives.');
  rules = chess as Rules;
}

/** A new game. The rules are not installed with Reins, as most programs need none. */
export const newGame = (fen?: string): ChessGame => new (rulesFor("Chess-v0").Chess)(fen);

/** The rules, loaded when they are needed first. */
export function rulesFor(id: string): Rules {
  rules ??= found(id);
  return rules;
}

function found(id: string): Rules {
  // Environments are made at once, so nothing can be awaited; and a static import would be missed by who does without.
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
