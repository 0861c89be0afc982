import type { Saved, Snapshot } from "@reins/core";
import { actionOf } from "./actions.ts";
import { type ChessGame, type ChessMove, newGame } from "./rules.ts";

/** A game in progress: its moves, the legal actions, and the count of each position. */
class ChessTable {
  /** Created on first use: the spec needs no rules. */
  private current: ChessGame | undefined;
  private played: ChessMove[] = [];
  private known: ReadonlyMap<number, ChessMove> | undefined;
  private readonly seen = new Map<string, number>();

  get game(): ChessGame {
    this.current ??= newGame();
    return this.current;
  }

  /** Starts a new game and plays these moves. */
  begin(moves: readonly ChessMove[] = []): void {
    this.current = newGame();
    this.played = [];
    this.known = undefined;
    this.seen.clear();
    this.note();
    for (const move of moves) this.play(move);
  }

  play(move: ChessMove): void {
    this.game.move(move);
    this.played.push(move);
    this.known = undefined;
    this.note();
  }

  /** Legal moves by action, from the side to move. */
  get legal(): ReadonlyMap<number, ChessMove> {
    const { game } = this;
    const color = game.turn();
    this.known ??= new Map(game.moves({ verbose: true }).map((move) => [actionOf(move, color), move]));
    return this.known;
  }

  /** Whether the position is repeated. */
  get repeated(): boolean {
    return (this.seen.get(this.position) ?? 0) > 1;
  }

  get moves(): readonly ChessMove[] {
    return this.played;
  }

  /** Pieces, side to move, castling and en passant: the identity of a position. */
  private get position(): string {
    return this.game.fen().split(" ").slice(0, 4).join(" ");
  }

  private note(): void {
    const { position, seen } = this;
    seen.set(position, (seen.get(position) ?? 0) + 1);
  }
}

/** One game per row. They are saved as moves, from which positions are counted again. */
export class ChessTables implements Saved {
  readonly rows: readonly ChessTable[];

  constructor(rows: number) {
    this.rows = Array.from({ length: rows }, () => new ChessTable());
  }

  save(): Snapshot {
    return this.rows.map(({ moves }) =>
      moves.map(({ from, to, promotion = "" }) => from + to + promotion).join(" "),
    );
  }

  restore(from: Snapshot): void {
    const games = from as readonly string[];
    this.rows.forEach((table, row) => {
      table.begin(games[row].split(" ").filter(Boolean).map(moveNamed));
    });
  }
}

/** The move named like `e7e8q`. */
function moveNamed(name: string): ChessMove {
  const promotion = name.slice(4) as ChessMove["promotion"] | "";
  return { from: name.slice(0, 2), to: name.slice(2, 4), ...(promotion ? { promotion } : {}) };
}
