import { type Color, discrete, multiDiscrete, type Rendering } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { type Tensor, zeros } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { drawGrid } from "../toy/grid.ts";
import { boardPicture } from "./board-rendering.ts";

const side = 4;
const size = side * side;
/** A board has no room for a tile above 2¹⁷; 0 is an empty cell. */
const exponents = 18;
const colors: readonly Color[] = [
  "#eee4da",
  "#ede0c8",
  "#f2b179",
  "#f59563",
  "#f67c5f",
  "#f65e3b",
  "#edcf72",
];

/** For each direction: the first cell, the stride along a line, and the stride to the next line. */
const ways = [
  { first: 0, along: side, across: 1 },
  { first: side - 1, along: -1, across: side },
  { first: size - side, along: -side, across: 1 },
  { first: 0, along: 1, across: side },
] as const;

/** Whether pushing a board, whose cells begin at `at`, up (0), right (1), down (2) or left (3) changes it. */
export function canPush(cells: Uint8Array, at: number, way: number): boolean {
  const { first, along, across } = ways[way];
  for (let line = 0; line < side; line++)
    for (let k = 1; k < side; k++) {
      const here = cells[at + first + line * across + k * along];
      const before = cells[at + first + line * across + (k - 1) * along];
      if (here !== 0 && (before === 0 || before === here)) return true;
    }
  return false;
}

/**
 * Pushes a board and returns the reward of its merges: the sum of the new tiles, or of their exponents. A tile
 * merges once per push, those nearest to the wall first.
 */
export function pushBoard(cells: Uint8Array, at: number, way: number, logs = false): number {
  const { first, along, across } = ways[way];
  let gain = 0;
  for (let line = 0; line < side; line++) {
    const start = at + first + line * across;
    let filled = 0;
    let waiting = 0;
    for (let k = 0; k < side; k++) {
      const tile = cells[start + k * along];
      if (tile === 0) continue;
      cells[start + k * along] = 0;
      if (tile === waiting) {
        cells[start + (filled - 1) * along] = tile + 1;
        gain += logs ? tile + 1 : 2 ** (tile + 1);
        waiting = 0;
      } else {
        cells[start + filled++ * along] = tile;
        waiting = tile;
      }
    }
  }
  return gain;
}

/** Options of a game of 2048. */
export interface Game2048Options extends BatchedOptions {
  /** Reward of a merge: the new tile, as in the game's own score, or its base-2 logarithm. */
  readonly reward?: "score" | "log";
}

/**
 * 2048 (Cirulli, 2014): push all tiles up (0), right (1), down (2) or left (3). Equal tiles that meet merge into
 * one of twice the number, and then a 2, or with probability 0.1 a 4, appears in an empty cell. The game ends when
 * no push changes anything. Pushes without effect are masked; making one wastes a step. Cells are observed as
 * exponents, 0 for empty.
 */
export class Game2048 extends BatchedEnv {
  protected readonly state;
  override readonly mask: Tensor;
  override readonly finalMask: Tensor;
  private readonly logs: boolean;

  constructor({ reward = "score", ...options }: Game2048Options = {}) {
    super(
      {
        id: "Game2048-v0",
        observation: multiDiscrete(Array<number>(size).fill(exponents)),
        action: discrete(ways.length),
      },
      options,
    );
    this.logs = reward === "log";
    this.mask = zeros([this.rows, ways.length], "bool");
    this.finalMask = zeros([this.rows, ways.length], "bool");
    this.state = { cells: new Uint8Array(this.rows * size), mask: this.mask };
  }

  protected begin(row: number): void {
    const { cells } = this.state;
    cells.fill(0, row * size, (row + 1) * size);
    spawn(cells, row * size, this.random[row]);
    spawn(cells, row * size, this.random[row]);
  }

  protected observe(row: number): void {
    const { cells } = this.state;
    const seen = this.observation.data;
    const mask = this.mask.data;
    for (let i = row * size; i < (row + 1) * size; i++) seen[i] = cells[i];
    for (let way = 0; way < ways.length; way++)
      mask[row * ways.length + way] = canPush(cells, row * size, way) ? 1 : 0;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { cells } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      reward[row] = 0;
      const way = action.data[row];
      if (!canPush(cells, row * size, way)) continue;
      reward[row] = pushBoard(cells, row * size, way, this.logs);
      spawn(cells, row * size, this.random[row]);
      this.observe(row);
      const at = row * ways.length;
      const mask = this.mask.data;
      if (mask[at] + mask[at + 1] + mask[at + 2] + mask[at + 3] === 0) this.terminated.data[row] = 1;
    }
  }

  render(row: number): string {
    const lines = this.tiles(row).map((line) =>
      line.map((tile) => (tile ? String(2 ** tile) : "").padStart(6)),
    );
    return drawGrid(lines, -1).replaceAll("───", "────────");
  }

  picture(row: number): Rendering {
    const cells = this.tiles(row).map((line) =>
      line.map((tile) =>
        tile
          ? { color: colors[Math.min(tile, colors.length) - 1], text: String(2 ** tile) }
          : { color: "#cdc1b4" as const },
      ),
    );
    const best = Math.max(...this.tiles(row).flat());
    return boardPicture(cells, { edge: 72, ground: "#bbada0", note: `largest tile ${2 ** best}` });
  }

  private tiles(row: number): number[][] {
    return Array.from({ length: side }, (_, y) =>
      Array.from(this.state.cells.subarray(row * size + y * side, row * size + (y + 1) * side)),
    );
  }
}

/** Puts a new tile into an empty cell; there is one, because the last push changed something. */
function spawn(cells: Uint8Array, at: number, random: Generator): void {
  let empty = 0;
  for (let i = at; i < at + size; i++) if (cells[i] === 0) empty++;
  let skip = random.integers(0, empty);
  const tile = random.random() < 0.9 ? 1 : 2;
  for (let i = at; i < at + size; i++) if (cells[i] === 0 && skip-- === 0) cells[i] = tile;
}
