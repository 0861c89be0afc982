import { discrete, image, type Rendering } from "@reins/core";
import { type Tensor, zeros } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { boardPicture } from "./board-rendering.ts";
import { ConnectFourBoard, height, size, width } from "./connect-four-board.ts";
import { type ConnectFourPlayer, greedyPlayer, randomPlayer, searchPlayer } from "./connect-four-players.ts";

/** Options of a game of Connect Four. */
export interface ConnectFourOptions extends BatchedOptions {
  /** Opponent: random, immediate wins and blocks, or search. */
  readonly opponent?: "random" | "greedy" | "search";
  /** Search depth of the opponent in stones. */
  readonly depth?: number;
  /** Who begins; "either" samples it for each game. */
  readonly learner?: "first" | "second" | "either";
}

/**
 * Connect Four against an opponent: drop a stone into one of seven columns. Four in a row has reward 1, the
 * opponent's four -1, and a full board is a draw. Full columns are masked, and playing one loses. Observations are
 * two channels from the learner's side: own stones, and the opponent's; the opponent's reply is part of the step.
 */
export class ConnectFour extends BatchedEnv {
  protected readonly state;
  override readonly mask: Tensor;
  override readonly finalMask: Tensor;
  private readonly learner: "first" | "second" | "either";
  private readonly opponent: ConnectFourPlayer;
  /** The position of the current row. */
  private readonly board = new ConnectFourBoard();

  constructor({ opponent = "greedy", depth = 6, learner = "either", ...options }: ConnectFourOptions = {}) {
    super({ id: "ConnectFour-v0", observation: image(height, width, 2), action: discrete(width) }, options);
    this.learner = learner;
    const players = { random: randomPlayer, greedy: greedyPlayer };
    this.opponent = opponent === "search" ? searchPlayer(depth) : players[opponent];
    this.mask = zeros([this.rows, width], "bool");
    this.finalMask = zeros([this.rows, width], "bool");
    // `side`: 0 if the learner began, 1 if the opponent did.
    this.state = {
      cells: new Int8Array(this.rows * size),
      side: new Int8Array(this.rows),
      mask: this.mask,
    };
  }

  protected begin(row: number): void {
    const { cells, side } = this.state;
    const { board, learner } = this;
    side[row] = learner === "either" ? this.random[row].integers(0, 2) : learner === "first" ? 0 : 1;
    board.clear();
    if (side[row] === 1) board.play(this.opponent(board, this.random[row]));
    cells.set(board.cells, row * size);
  }

  protected observe(row: number): void {
    const { cells, side } = this.state;
    const seen = this.observation.data as Uint8Array;
    const at = row * size;
    seen.fill(0, at * 2, (at + size) * 2);
    for (let cell = 0; cell < size; cell++) {
      if (cells[at + cell] === 0) continue;
      // Images begin at the top, boards at the bottom.
      const pixel = at + (height - 1 - Math.floor(cell / width)) * width + (cell % width);
      seen[pixel * 2 + (cells[at + cell] - 1 === side[row] ? 0 : 1)] = 255;
    }
    for (let column = 0; column < width; column++)
      this.mask.data[row * width + column] = cells[at + size - width + column] === 0 ? 1 : 0;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { cells } = this.state;
    const { board } = this;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      board.load(cells, row * size);
      reward[row] = this.exchange(row, action.data[row]);
      cells.set(board.cells, row * size);
      this.observe(row);
    }
  }

  /** A stone of the learner and the reply to it; returns the reward. */
  private exchange(row: number, column: number): number {
    const { board } = this;
    const own = this.state.side[row];
    if (!board.open(column)) return this.finished(row, -1);
    const won = board.wins(column, own);
    board.play(column);
    if (won || board.stones === size) return this.finished(row, won ? 1 : 0);
    const answer = this.opponent(board, this.random[row]);
    const lost = board.wins(answer, 1 - own);
    board.play(answer);
    if (lost || board.stones === size) return this.finished(row, lost ? -1 : 0);
    return 0;
  }

  private finished(row: number, reward: number): number {
    this.terminated.data[row] = 1;
    return reward;
  }

  render(row: number): string {
    const letters = [" ", "●", "○"];
    const lines = this.stones(row).map((line) => `│${line.map((stone) => letters[stone]).join(" ")}│`);
    return [...lines, `└${"─".repeat(2 * width - 1)}┘`, " 0 1 2 3 4 5 6", "● learner  ○ opponent"].join("\n");
  }

  picture(row: number): Rendering {
    const colors = ["#ddf4ff", "#d4a72c", "#cf222e"] as const;
    const cells = this.stones(row).map((line) =>
      line.map((stone) => ({ color: colors[stone], round: true })),
    );
    return boardPicture(cells, { edge: 48, ground: "#0969da", note: "learner yellow, opponent red" });
  }

  /** From the top: 0 nothing, 1 the learner's stone, 2 the opponent's. */
  private stones(row: number): number[][] {
    const { cells, side } = this.state;
    return Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => {
        const stone = cells[row * size + (height - 1 - y) * width + x];
        return stone === 0 ? 0 : stone - 1 === side[row] ? 1 : 2;
      }),
    );
  }
}
