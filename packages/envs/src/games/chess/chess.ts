import { discrete, image, type Rendering } from "@reins/core";
import { type Tensor, zeros } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../../batch-form.ts";
import { actions } from "./actions.ts";
import { planes, writePlanes } from "./planes.ts";
import { type ChessPlayer, randomChess, searchingChess } from "./players.ts";
import { chessPicture, chessText } from "./rendering.ts";
import type { Color } from "./rules.ts";
import { ChessTables } from "./table.ts";

/** Options of a game of chess. */
export interface ChessOptions extends BatchedOptions {
  /** Opponent: random moves, the largest capture, or search. */
  readonly opponent?: "random" | "greedy" | "search";
  /** Search depth of the opponent in half-moves. */
  readonly depth?: number;
  /** The learner's color; "either" samples it for each game. */
  readonly learner?: "white" | "black" | "either";
}

/**
 * Chess against an opponent, by the rules of the package `chess.js`. A win has reward 1, a loss -1, and every draw
 * 0: stalemate, insufficient material, threefold repetition, 50 moves without a pawn move or a capture. Illegal
 * moves are masked, and playing one loses. The opponent's reply is part of the step. It allocates, and takes
 * milliseconds per move: it is here for its rules, not for its speed.
 */
export class Chess extends BatchedEnv {
  protected readonly state;
  override readonly mask: Tensor;
  override readonly finalMask: Tensor;
  private readonly learner: "white" | "black" | "either";
  private readonly opponent: ChessPlayer;

  constructor({ opponent = "greedy", depth = 2, learner = "either", ...options }: ChessOptions = {}) {
    const spec = {
      id: "Chess-v0",
      observation: image(8, 8, planes),
      action: discrete(actions),
      maxSteps: 200,
    };
    super(spec, options);
    this.learner = learner;
    this.opponent = opponent === "random" ? randomChess : searchingChess(opponent === "greedy" ? 1 : depth);
    this.mask = zeros([this.rows, actions], "bool");
    this.finalMask = zeros([this.rows, actions], "bool");
    // `side`: 0 if the learner is white, 1 if it is black.
    this.state = { tables: new ChessTables(this.rows), side: new Int8Array(this.rows), mask: this.mask };
  }

  protected begin(row: number): void {
    const { tables, side } = this.state;
    const { learner } = this;
    const table = tables.rows[row];
    side[row] = learner === "either" ? this.random[row].integers(0, 2) : learner === "white" ? 0 : 1;
    table.begin();
    if (side[row] === 1) table.play(this.opponent(table.game, this.random[row]));
  }

  protected observe(row: number): void {
    const { game, repeated, legal } = this.state.tables.rows[row];
    const size = 64 * planes;
    writePlanes(game, repeated, this.color(row), this.observation.data as Uint8Array, row * size);
    this.mask.data.fill(0, row * actions, (row + 1) * actions);
    for (const action of legal.keys()) this.mask.data[row * actions + action] = 1;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      reward[row] = this.exchange(row, action.data[row]);
      this.observe(row);
    }
  }

  /** A move of the learner and the reply to it; returns the reward. */
  private exchange(row: number, action: number): number {
    const table = this.state.tables.rows[row];
    const move = table.legal.get(action);
    if (!move) return this.finished(row, -1);
    table.play(move);
    if (table.game.isCheckmate()) return this.finished(row, 1);
    if (table.game.isDraw()) return this.finished(row, 0);
    table.play(this.opponent(table.game, this.random[row]));
    if (table.game.isCheckmate()) return this.finished(row, -1);
    if (table.game.isDraw()) return this.finished(row, 0);
    return 0;
  }

  private finished(row: number, reward: number): number {
    this.terminated.data[row] = 1;
    return reward;
  }

  private color(row: number): Color {
    return this.state.side[row] === 0 ? "w" : "b";
  }

  render(row: number): string {
    return chessText(this.state.tables.rows[row].game, this.color(row));
  }

  picture(row: number): Rendering {
    return chessPicture(this.state.tables.rows[row].game, this.color(row));
  }
}
