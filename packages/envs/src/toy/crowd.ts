import { box, discrete, fail, list, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { drawGrid } from "./grid.ts";
import { type Cell, gridPicture } from "./rendering.ts";

/** Options of a crowd. */
export interface CrowdOptions extends BatchedOptions {
  /** Cells along each side. */
  readonly size?: number;
  /** Minimum and maximum number of distractors; sampled for each episode. */
  readonly fewest?: number;
  readonly most?: number;
  /** Capacity of the list; `most` by default. Fields with equal capacity have equal observation spaces. */
  readonly room?: number;
}

const colors = 4;
/** Whether it is the agent, its position, and its color. */
const features = 3 + colors;
const ways = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const;

interface Seen {
  readonly items: Tensor;
  readonly count: Tensor;
  readonly [name: string]: Tensor;
}

/**
 * Colored figures stand in a field, one of which has the agent's own color: up (0), right (1), down (2), left (3),
 * until the agent reaches it, with reward 1. The observation is a list of the agent itself, first, with its
 * position, and of the others in random order, with their relative positions. The number of distractors varies
 * between episodes: the same signal in more or less noise. The agent can walk over the others; the episode is
 * truncated after as many steps as any path takes.
 */
export class Crowd extends BatchedEnv<Seen> {
  protected readonly state;
  private readonly size: number;
  private readonly fewest: number;
  private readonly most: number;
  private readonly room: number;

  constructor({ size = 5, fewest = 0, most = 6, room = most, ...options }: CrowdOptions = {}) {
    if (!(fewest <= most && most <= room))
      fail(
        "Crowd-v0",
        `fewest, most and room are ${fewest}, ${most} and ${room}. They must be in ascending order.`,
      );
    super(
      {
        id: "Crowd-v0",
        observation: list(box([features], -1, 1), room + 2, { ordered: false }),
        action: discrete(ways.length),
        maxSteps: 2 * (size - 1),
        solvedAt: 0.95,
        returnBounds: [0, 1],
      },
      options,
    );
    this.size = size;
    this.fewest = fewest;
    this.most = most;
    this.room = room;
    const { rows } = this;
    // Cell and color of all others, with the goal among them.
    this.state = {
      at: new Int32Array(rows),
      color: new Int32Array(rows),
      goal: new Int32Array(rows),
      others: new Int32Array(rows),
      cell: new Int32Array(rows * (room + 1)),
      paint: new Int32Array(rows * (room + 1)),
    };
  }

  protected begin(row: number): void {
    const { at, color, goal, others, cell, paint } = this.state;
    const random = this.random[row];
    const cells = this.size * this.size;
    at[row] = random.integers(0, cells);
    color[row] = random.integers(0, colors);
    others[row] = 1 + random.integers(this.fewest, this.most + 1);
    goal[row] = random.integers(0, others[row]);
    for (let i = 0; i < others[row]; i++) {
      const at0 = row * (this.room + 1) + i;
      // Anywhere except the agent's cell.
      const drawn = random.integers(0, cells - 1);
      cell[at0] = drawn + (drawn >= at[row] ? 1 : 0);
      paint[at0] = i === goal[row] ? color[row] : (color[row] + 1 + random.integers(0, colors - 1)) % colors;
    }
  }

  protected observe(row: number): void {
    const { at, color, others, cell, paint } = this.state;
    const { items, count } = this.observation;
    const data = items.data as Float32Array;
    const start = row * (this.room + 2) * features;
    data.fill(0, start, start + (this.room + 2) * features);
    const [x, y] = this.place(at[row]);
    const far = this.size - 1 || 1;
    data[start] = 1;
    data[start + 1] = x / far;
    data[start + 2] = y / far;
    data[start + 3 + color[row]] = 1;
    for (let i = 0; i < others[row]; i++) {
      const item = start + (1 + i) * features;
      const [ox, oy] = this.place(cell[row * (this.room + 1) + i]);
      data[item + 1] = (ox - x) / far;
      data[item + 2] = (oy - y) / far;
      data[item + 3 + paint[row * (this.room + 1) + i]] = 1;
    }
    count.data[row] = 1 + others[row];
  }

  private place(cell: number): readonly [x: number, y: number] {
    return [cell % this.size, Math.floor(cell / this.size)];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { at, goal, cell } = this.state;
    const reward = this.reward.data as Float32Array;
    const last = this.size - 1;
    for (let row = from; row < to; row++) {
      const [dx, dy] = ways[action.data[row]];
      const [x, y] = this.place(at[row]);
      const line = Math.min(last, Math.max(0, y + dy));
      at[row] = line * this.size + Math.min(last, Math.max(0, x + dx));
      const there = at[row] === cell[row * (this.room + 1) + goal[row]];
      reward[row] = there ? 1 : 0;
      if (there) this.terminated.data[row] = 1;
      this.observe(row);
    }
  }

  render(row: number): string {
    const lines = this.cells(row).map((line) => line.map((c) => c.letter ?? "·"));
    return `${drawGrid(lines, this.state.at[row])}\n${this.said(row)}`;
  }

  picture(row: number): Rendering {
    return gridPicture(this.cells(row), this.state.at[row], { text: this.said(row) });
  }

  private said(row: number): string {
    const { color, others } = this.state;
    return `looks for ${letters[color[row]]} among ${others[row]}`;
  }

  private cells(row: number): Cell[][] {
    const { others, cell, paint } = this.state;
    const cells: Cell[] = Array.from({ length: this.size ** 2 }, () => ({ color: "#ffffff" }));
    for (let i = 0; i < others[row]; i++) {
      const at0 = row * (this.room + 1) + i;
      cells[cell[at0]] = { color: paints[paint[at0]], letter: letters[paint[at0]] };
    }
    return Array.from({ length: this.size }, (_, y) => cells.slice(y * this.size, (y + 1) * this.size));
  }
}

const letters = ["A", "B", "C", "D"] as const;
const paints = ["#ffb3ad", "#aeeabf", "#ffe58a", "#a8d1ff"] as const;

/** A crowd environment for training. */
export const crowd = (options: Omit<CrowdOptions, "rows"> = {}) => ({
  spec: new Crowd(options).spec,
  make: (rows: number) => new Crowd({ ...options, rows }),
});
