import { dict, discrete, image, type Rendering } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { type Tensor, zeros } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { boardPicture } from "./board-rendering.ts";
import { tetrominoes } from "./tetrominoes.ts";

const [width, height, turns] = [10, 20, 4];
const choices = turns * width;
const kinds = tetrominoes.length;
const full = (1 << width) - 1;
const wholeBag = (1 << kinds) - 1;

/** Options of a game of Tetris. */
export interface TetrisOptions extends BatchedOptions {
  /** All seven pieces come, in random order, before any repeats; otherwise pieces are independent. */
  readonly bag?: boolean;
}

/** Observation of a game. */
type Seen = { readonly board: Tensor; readonly piece: Tensor; readonly next: Tensor };

/**
 * Tetris by placements, in a well of 10 × 20: action `10 × rotation + column` rotates the piece clockwise and
 * drops it with its left side in that column. Each full row is cleared with reward 1. The mask allows distinct
 * rotations, in the columns where the piece fits below the rim; the game ends when the next piece fits nowhere, or
 * after a masked action. Observations are the well, the piece and the next one.
 */
export class Tetris extends BatchedEnv<Seen> {
  protected readonly state;
  override readonly mask: Tensor;
  override readonly finalMask: Tensor;
  private readonly bagged: boolean;

  constructor({ bag = true, ...options }: TetrisOptions = {}) {
    super(
      {
        id: "Tetris-v0",
        observation: dict({
          board: image(height, width, 1),
          piece: discrete(kinds),
          next: discrete(kinds),
        }),
        action: discrete(choices),
        maxSteps: 5000,
      },
      options,
    );
    this.bagged = bag;
    this.mask = zeros([this.rows, choices], "bool");
    this.finalMask = zeros([this.rows, choices], "bool");
    // `wells` has one entry per row, from the top, with a bit per cell; `bags` a bit for each piece still to come.
    this.state = {
      wells: new Int16Array(this.rows * height),
      piece: new Int8Array(this.rows),
      next: new Int8Array(this.rows),
      bags: new Int16Array(this.rows),
      mask: this.mask,
    };
  }

  protected begin(row: number): void {
    const { wells, piece, next, bags } = this.state;
    wells.fill(0, row * height, (row + 1) * height);
    bags[row] = wholeBag;
    piece[row] = this.draw(row);
    next[row] = this.draw(row);
  }

  private draw(row: number): number {
    if (!this.bagged) return this.random[row].integers(0, kinds);
    const { bags } = this.state;
    const kind = pick(bags[row], this.random[row]);
    bags[row] &= ~(1 << kind);
    if (bags[row] === 0) bags[row] = wholeBag;
    return kind;
  }

  protected observe(row: number): void {
    const { wells, piece, next } = this.state;
    const { board, piece: pieces, next: nexts } = this.observation;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        board.data[(row * height + y) * width + x] = (wells[row * height + y] >> x) & 1 ? 255 : 0;
    pieces.data[row] = piece[row];
    nexts.data[row] = next[row];
    for (let action = 0; action < choices; action++)
      this.mask.data[row * choices + action] = this.fits(row, action) ? 1 : 0;
  }

  /** Whether a placement is valid: the piece, just below the rim, touches nothing. */
  private fits(row: number, action: number): boolean {
    const { lying } = tetrominoes[this.state.piece[row]];
    const turn = Math.floor(action / width);
    const x = action % width;
    return turn < lying.length && x + lying[turn].width <= width && this.free(row, lying[turn].lines, x, 0);
  }

  private free(row: number, lines: readonly number[], x: number, y: number): boolean {
    const { wells } = this.state;
    if (y + lines.length > height) return false;
    for (let i = 0; i < lines.length; i++) if (wells[row * height + y + i] & (lines[i] << x)) return false;
    return true;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { piece, next } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      if (!this.fits(row, action.data[row])) {
        reward[row] = 0;
        this.terminated.data[row] = 1;
        continue;
      }
      reward[row] = this.drop(row, action.data[row]);
      piece[row] = next[row];
      next[row] = this.draw(row);
      this.observe(row);
      if (!this.hasPlacement(row)) this.terminated.data[row] = 1;
    }
  }

  private hasPlacement(row: number): boolean {
    for (let i = row * choices; i < (row + 1) * choices; i++) if (this.mask.data[i]) return true;
    return false;
  }

  /** Drops the piece, and returns the number of full rows. */
  private drop(row: number, action: number): number {
    const { wells, piece } = this.state;
    const { lines } = tetrominoes[piece[row]].lying[Math.floor(action / width)];
    const x = action % width;
    let y = 0;
    while (this.free(row, lines, x, y + 1)) y++;
    for (let i = 0; i < lines.length; i++) wells[row * height + y + i] |= lines[i] << x;
    let to = height - 1;
    for (let line = height - 1; line >= 0; line--)
      if (wells[row * height + line] !== full) wells[row * height + to--] = wells[row * height + line];
    const cleared = to + 1;
    wells.fill(0, row * height, row * height + cleared);
    return cleared;
  }

  render(row: number): string {
    const notes = ["piece", "next"];
    const pieces = [this.state.piece[row], this.state.next[row]];
    const said = notes.map((note, i) => `   ${note} ${tetrominoes[pieces[i]].letter}`);
    return this.well(row)
      .map((line, y) => `│${line.map((set) => (set ? "██" : " ·")).join("")}│${said[y] ?? ""}`)
      .join("\n");
  }

  picture(row: number): Rendering {
    const { letter, color, lying } = tetrominoes[this.state.piece[row]];
    const [{ lines, width: wide }] = lying;
    const left = (width - wide) >> 1;
    // The piece hovers in three rows above the well.
    const above = Array.from({ length: 3 }, (_, y) =>
      Array.from({ length: width }, (_, x) => (((lines[y] ?? 0) << left) & (1 << x) ? { color } : undefined)),
    );
    const cells = this.well(row).map((line) =>
      line.map((set) => ({ color: set ? ("#57606a" as const) : ("#ffffff" as const) })),
    );
    const note = `${letter}, then ${tetrominoes[this.state.next[row]].letter}`;
    return boardPicture([...above, ...cells], { edge: 18, ground: "#eaeef2", note });
  }

  private well(row: number): boolean[][] {
    return Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => ((this.state.wells[row * height + y] >> x) & 1) === 1),
    );
  }
}

/** A random one of the set bits. */
function pick(bits: number, random: Generator): number {
  let count = 0;
  for (let i = 0; i < kinds; i++) count += (bits >> i) & 1;
  let skip = random.integers(0, count);
  for (let i = 0; i < kinds; i++) if ((bits >> i) & 1 && skip-- === 0) return i;
  return 0;
}
