import { box, discrete, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { drawGrid } from "../toy/grid.ts";
import { type Cell, gridPicture } from "../toy/rendering.ts";

/** Options of a T-maze. */
export interface TMazeOptions extends BatchedOptions {
  /** Steps from the start to the junction. */
  readonly length?: number;
  /**
   * Active version: the sign is one step to the left of the start and must be visited; otherwise it is visible at
   * the start.
   */
  readonly active?: boolean;
}

const [left, right, up, down] = [0, 1, 2, 3];
const seen = 3;

/**
 * A corridor that ends in a junction, and a distant sign that names the rewarded arm: left (0), right (1), up (2),
 * down (3). Observations are the sign (1 up, -1 down, 0 if not visible), whether the agent is at the junction, and
 * whether it is at the start. The right arm has reward 1, the other 0, and both end the episode: memory returns 1,
 * no memory at most 0.5. Bakker, "Reinforcement Learning with Long Short-Term Memory" (2002); active and passive
 * as in Ni et al., "When Do Transformers Shine in RL?" (2023).
 */
export class TMaze extends BatchedEnv {
  protected readonly state;
  private readonly length: number;
  /** The leftmost cell, where the sign is. */
  private readonly first: number;

  constructor({ length = 10, active = false, ...options }: TMazeOptions = {}) {
    super(
      {
        id: active ? "TMazeActive-v0" : "TMaze-v0",
        observation: box([seen], [-1, 0, 0], [1, 1, 1]),
        action: discrete(4),
        maxSteps: 2 * length + 10,
        solvedAt: 0.95,
        returnBounds: [0, 1],
      },
      options,
    );
    this.length = length;
    this.first = active ? -1 : 0;
    this.state = { x: new Int32Array(this.rows), sign: new Int8Array(this.rows) };
  }

  protected begin(row: number): void {
    this.state.x[row] = 0;
    this.state.sign[row] = this.random[row].integers(0, 2) ? 1 : -1;
  }

  protected observe(row: number): void {
    const { x, sign } = this.state;
    const data = this.observation.data;
    data[row * seen] = x[row] === this.first ? sign[row] : 0;
    data[row * seen + 1] = x[row] === this.length ? 1 : 0;
    data[row * seen + 2] = x[row] === 0 ? 1 : 0;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { x, sign } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      const way = action.data[row];
      reward[row] = 0;
      if (way === left) x[row] = Math.max(this.first, x[row] - 1);
      else if (way === right) x[row] = Math.min(this.length, x[row] + 1);
      else if (x[row] === this.length) {
        reward[row] = (way === up) === (sign[row] === 1) ? 1 : 0;
        this.terminated.data[row] = 1;
      }
      this.observe(row);
    }
  }

  render(row: number): string {
    const { cells, at } = this.view(row);
    return drawGrid(
      cells.map((line) => line.map((cell) => cell.letter ?? (cell.color === wall ? "█" : " "))),
      at,
    );
  }

  picture(row: number): Rendering {
    const { cells, at } = this.view(row);
    const sign = this.state.sign[row] === 1 ? "up" : "down";
    return gridPicture(cells, at, { text: `the sign says ${sign}` });
  }

  /** The maze, or the part of a long one around the agent. */
  private view(row: number) {
    const { x, sign } = this.state;
    const last = Math.min(this.length, Math.max(this.first + window - 1, x[row] + 8));
    const first = Math.max(this.first, last - window + 1);
    const cells = [up, left, down].map((line) =>
      Array.from({ length: last - first + 1 }, (_, i): Cell => {
        const here = first + i;
        const arm = here === this.length;
        if (line !== left)
          return arm ? { color: "#ffffff", flag: (line === up) === (sign[row] === 1) } : { color: wall };
        if (here === this.first) return { color: "#fff8c5", letter: sign[row] === 1 ? "↑" : "↓" };
        return { color: "#ffffff" };
      }),
    );
    return { cells, at: last - first + 1 + x[row] - first };
  }
}

const wall = "#8c959f";
const window = 16;
