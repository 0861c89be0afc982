import { type Color, discrete, fail, image, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { type BoardCell, boardPicture } from "./board-rendering.ts";
import { type Palette, palettes } from "./hues.ts";

/** Options of a game of catch. */
export interface CatchOptions extends BatchedOptions {
  /** Rows: 3 to 32. */
  readonly height?: number;
  /** Columns: 3 to 32. */
  readonly width?: number;
  /** Margin around the field in pixels, needed by shifted images. */
  readonly margin?: number;
  /**
   * Background: black, or one of six colors per episode, "pure" ones (red, yellow, green …) or the "mixed" ones
   * between them; "any" has all twelve.
   */
  readonly colors?: "black" | Palette;
  /** Fraction of episodes whose color reveals where the ball will land: a spurious correlation. */
  readonly hint?: number;
}

const channels = 3;
const white = 255;
const black = -1;

/**
 * A ball falls one cell per step, and a paddle on the last row goes left (0), stays (1) or goes right (2). A catch
 * has reward 1, a miss -1; both end the episode. Observations are color images with a white ball and paddle. The
 * background is irrelevant to the game, which measures how an agent trained on some colors generalises to others.
 * The game is bsuite's (Osband et al., 2020).
 */
export class Catch extends BatchedEnv {
  protected readonly state;
  private readonly height: number;
  private readonly width: number;
  private readonly margin: number;
  private readonly hues: readonly (readonly number[])[];
  private readonly hint: number;

  constructor({
    height = 8,
    width = 8,
    margin = 0,
    colors = "black",
    hint = 0,
    ...options
  }: CatchOptions = {}) {
    for (const [name, cells] of Object.entries({ height, width }))
      if (!Number.isInteger(cells) || cells < 3 || cells > 32)
        fail("Catch-v0", `${name} is ${cells}. Use a number of cells from 3 to 32.`);
    if (!Number.isInteger(margin) || margin < 0 || margin > 16)
      fail("Catch-v0", `margin is ${margin}. Use a number of pixels from 0 to 16.`);
    if (!(hint >= 0 && hint <= 1))
      fail("Catch-v0", `hint is ${hint}. Use a fraction of episodes from 0 to 1.`);
    if (hint > 0 && colors === "black")
      fail("Catch-v0", "hint needs colored backgrounds. Set colors to pure, mixed or any.");
    super(
      {
        id: "Catch-v0",
        observation: image(height + 2 * margin, width + 2 * margin, channels),
        action: discrete(3),
        maxSteps: height,
        solvedAt: 0.95,
        returnBounds: [-1, 1],
      },
      options,
    );
    this.height = height;
    this.width = width;
    this.margin = margin;
    this.hint = hint;
    this.hues = colors === "black" ? [] : palettes[colors];
    this.state = {
      x: new Int8Array(this.rows),
      y: new Int8Array(this.rows),
      paddle: new Int8Array(this.rows),
      hue: new Int8Array(this.rows),
    };
  }

  protected begin(row: number): void {
    const { x, y, paddle, hue } = this.state;
    const random = this.random[row];
    x[row] = random.integers(0, this.width);
    y[row] = 0;
    paddle[row] = this.width >> 1;
    const { length } = this.hues;
    hue[row] = length === 0 ? black : random.integers(0, length);
    if (this.hint > 0 && random.chance(this.hint)) hue[row] = Math.floor((x[row] * length) / this.width);
  }

  protected observe(row: number): void {
    const { x, y, paddle, hue } = this.state;
    const seen = this.observation.data as Uint8Array;
    const wide = this.width + 2 * this.margin;
    const pixels = wide * (this.height + 2 * this.margin);
    const at = row * pixels * channels;
    const place = (line: number, column: number) =>
      at + ((line + this.margin) * wide + column + this.margin) * channels;
    const [ball, own] = [place(y[row], x[row]), place(this.height - 1, paddle[row])];
    for (let c = 0; c < channels; c++) {
      const shade = hue[row] === black ? 0 : this.hues[hue[row]][c];
      for (let pixel = 0; pixel < pixels; pixel++) seen[at + pixel * channels + c] = shade;
      seen[ball + c] = white;
      seen[own + c] = white;
    }
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { x, y, paddle } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      paddle[row] = Math.min(this.width - 1, Math.max(0, paddle[row] + action.data[row] - 1));
      y[row]++;
      const down = y[row] === this.height - 1;
      reward[row] = down ? (x[row] === paddle[row] ? 1 : -1) : 0;
      if (down) this.terminated.data[row] = 1;
      this.observe(row);
    }
  }

  render(row: number): string {
    return this.cellsOf(row)
      .map((line) => line.join(""))
      .join("\n");
  }

  picture(row: number): Rendering {
    const hue = this.state.hue[row];
    const ground: Color = hue === black ? "#000000" : `#${this.hues[hue].map(hexadecimal).join("")}`;
    const cells = this.cellsOf(row).map((line) =>
      line.map((cell): BoardCell | undefined =>
        cell === "." ? undefined : { color: "#ffffff", round: cell === "o" },
      ),
    );
    return boardPicture(cells, { edge: 30, ground, note: "catch the ball" });
  }

  private cellsOf(row: number): string[][] {
    const { x, y, paddle } = this.state;
    const cells = Array.from({ length: this.height }, () => new Array<string>(this.width).fill("."));
    cells[y[row]][x[row]] = "o";
    cells[this.height - 1][paddle[row]] = "▂";
    return cells;
  }
}

const hexadecimal = (byte: number) => byte.toString(16).padStart(2, "0");
