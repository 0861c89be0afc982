import { discrete, fail, image, type Rendering } from "@reins/core";
import { type Tensor, zeros } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { type BoardCell, boardPicture } from "./board-rendering.ts";

const [head, body, food] = [0, 1, 2];
const channels = 3;
/** Up, right, down, left. */
const [dx, dy] = [
  [0, 1, 0, -1],
  [-1, 0, 1, 0],
];
const right = 1;
const opposite = (way: number) => (way + 2) % 4;

/** Options of a game of Snake. */
export interface SnakeOptions extends BatchedOptions {
  /** Cells along each side: 4 to 18. */
  readonly size?: number;
}

/**
 * A snake that grows by one cell with each food: go up (0), right (1), down (2) or left (3). Food has reward 1; a
 * wall or its own body -1 and ends the game, as does a full board. Turning back is masked, and has the effect of
 * going straight on. Observations are three channels: the head, the body, brighter the later a cell is left, and
 * the food.
 */
export class Snake extends BatchedEnv {
  protected readonly state;
  override readonly mask: Tensor;
  override readonly finalMask: Tensor;
  private readonly side: number;
  private readonly size: number;

  constructor({ size: side = 10, ...options }: SnakeOptions = {}) {
    if (!Number.isInteger(side) || side < 4 || side > 18)
      fail("Snake-v0", `size is ${side}. Use a number of cells per side from 4 to 18.`);
    const size = side * side;
    super(
      {
        id: "Snake-v0",
        observation: image(side, side, channels),
        action: discrete(4),
        maxSteps: 20 * size,
      },
      options,
    );
    this.side = side;
    this.size = size;
    this.mask = zeros([this.rows, 4], "bool");
    this.finalMask = zeros([this.rows, 4], "bool");
    // `path` is a ring buffer: the cells of the snake from its tail on, `length` of them from `tail`. `taken`
    // marks them.
    this.state = {
      path: new Int16Array(this.rows * size),
      taken: new Uint8Array(this.rows * size),
      tail: new Int16Array(this.rows),
      length: new Int16Array(this.rows),
      way: new Int8Array(this.rows),
      food: new Int16Array(this.rows),
      mask: this.mask,
    };
  }

  protected begin(row: number): void {
    const { path, taken, tail, length, way } = this.state;
    const start = (this.side >> 1) * this.side + (this.side >> 1);
    taken.fill(0, row * this.size, (row + 1) * this.size);
    tail[row] = 0;
    length[row] = 3;
    way[row] = right;
    for (let k = 0; k < 3; k++) {
      path[row * this.size + k] = start - 2 + k;
      taken[row * this.size + start - 2 + k] = 1;
    }
    this.feed(row);
  }

  /** Puts food into a free cell; there is one. */
  private feed(row: number): void {
    const { taken, length, food } = this.state;
    let skip = this.random[row].integers(0, this.size - length[row]);
    for (let cell = 0; cell < this.size; cell++)
      if (taken[row * this.size + cell] === 0 && skip-- === 0) food[row] = cell;
  }

  /** The cell that lies `k` cells from the tail. */
  private link(row: number, k: number): number {
    return this.state.path[row * this.size + ((this.state.tail[row] + k) % this.size)];
  }

  protected observe(row: number): void {
    const { length, way } = this.state;
    const seen = this.observation.data as Uint8Array;
    const at = row * this.size * channels;
    const n = length[row];
    seen.fill(0, at, at + this.size * channels);
    for (let k = 0; k < n - 1; k++)
      seen[at + this.link(row, k) * channels + body] = Math.max(1, Math.floor((255 * (k + 1)) / n));
    seen[at + this.link(row, n - 1) * channels + head] = 255;
    if (n < this.size) seen[at + this.state.food[row] * channels + food] = 255;
    for (let a = 0; a < 4; a++) this.mask.data[row * 4 + a] = a === opposite(way[row]) ? 0 : 1;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      reward[row] = this.creep(row, action.data[row]);
      this.observe(row);
    }
  }

  private creep(row: number, action: number): number {
    const { path, taken, tail, length, way } = this.state;
    if (action !== opposite(way[row])) way[row] = action;
    const from = this.link(row, length[row] - 1);
    const x = (from % this.side) + dx[way[row]];
    const y = Math.floor(from / this.side) + dy[way[row]];
    const base = row * this.size;
    const next = y * this.side + x;
    const outside = x < 0 || y < 0 || x >= this.side || y >= this.side;
    const eats = !outside && next === this.state.food[row];
    // The tail moves before the head arrives, so its cell is free.
    if (outside || (taken[base + next] === 1 && next !== this.link(row, 0))) {
      this.terminated.data[row] = 1;
      return -1;
    }
    if (eats) length[row]++;
    else {
      taken[base + this.link(row, 0)] = 0;
      tail[row] = (tail[row] + 1) % this.size;
    }
    path[base + ((tail[row] + length[row] - 1) % this.size)] = next;
    taken[base + next] = 1;
    if (!eats) return 0;
    if (length[row] === this.size) this.terminated.data[row] = 1;
    else this.feed(row);
    return 1;
  }

  render(row: number): string {
    const bar = "─".repeat(2 * this.side - 1);
    const letters = ["@", "o", "*"];
    const lines = this.things(row).map(
      (line) => `│${line.map((thing) => (thing === undefined ? " " : letters[thing])).join(" ")}│`,
    );
    return [`┌${bar}┐`, ...lines, `└${bar}┘`].join("\n");
  }

  picture(row: number): Rendering {
    const looks: BoardCell[] = [
      { color: "#116329" },
      { color: "#4ac26b" },
      { color: "#cf222e", round: true },
    ];
    const cells = this.things(row).map((line) =>
      line.map((thing) => (thing === undefined ? undefined : looks[thing])),
    );
    const note = `length ${this.state.length[row]}`;
    return boardPicture(cells, { edge: 28, ground: "#eaeef2", note });
  }

  /** The content of each cell. */
  private things(row: number): (number | undefined)[][] {
    const lines = Array.from({ length: this.side }, () =>
      Array<number | undefined>(this.side).fill(undefined),
    );
    const put = (cell: number, thing: number) => {
      lines[Math.floor(cell / this.side)][cell % this.side] = thing;
    };
    const n = this.state.length[row];
    if (n < this.size) put(this.state.food[row], food);
    for (let k = 0; k < n; k++) put(this.link(row, k), k === n - 1 ? head : body);
    return lines;
  }
}
