import { box, discrete, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { drawGrid } from "../toy/grid.ts";
import { type Cell, gridPicture } from "../toy/rendering.ts";

/** Options of an endless T-maze. */
export interface EndlessTMazeOptions extends BatchedOptions {
  /** Corridors per episode, each with its own sign. */
  readonly corridors?: number;
  /** Steps from the start of a corridor to its junction. */
  readonly length?: number;
  /** Random lengths for each corridor, from 1; otherwise all are equal. */
  readonly uniform?: boolean;
}

const [on, up, down] = [0, 1, 2];
const seen = 3;

/**
 * Corridors one after another, each with a sign at its start and a junction at its end: on (0), up (1), down (2).
 * Only the newest sign counts; earlier ones must be forgotten. Observations are whether a sign says up, whether
 * one says down, and the progress along the corridor. Each right turn has its share of a total reward of 1, a
 * wrong one 0, and both lead into the next corridor: remembering the newest sign returns 1, remembering nothing or
 * only the first sign about 0.5. Shchendrigin et al., "Memory Retention Is Not Enough to Master Memory Tasks in
 * Reinforcement Learning" (2026).
 */
export class EndlessTMaze extends BatchedEnv {
  protected readonly state;
  private readonly corridors: number;
  private readonly longest: number;
  private readonly uniform: boolean;

  constructor({ corridors = 4, length = 5, uniform = true, ...options }: EndlessTMazeOptions = {}) {
    super(
      {
        id: "EndlessTMaze-v0",
        observation: box([seen], 0, 1),
        action: discrete(3),
        maxSteps: corridors * (2 * length + 4),
        solvedAt: 0.95,
      },
      options,
    );
    this.corridors = corridors;
    this.longest = length;
    this.uniform = uniform;
    const column = () => new Int32Array(this.rows);
    this.state = { turns: column(), x: column(), length: column(), sign: column() };
  }

  protected begin(row: number): void {
    this.state.turns[row] = 0;
    this.corridor(row);
  }

  /** The next corridor. */
  private corridor(row: number): void {
    const { x, length, sign } = this.state;
    x[row] = 0;
    length[row] = this.uniform ? this.random[row].integers(1, this.longest + 1) : this.longest;
    sign[row] = this.random[row].integers(0, 2) ? up : down;
  }

  protected observe(row: number): void {
    const { x, length, sign } = this.state;
    const data = this.observation.data;
    data[row * seen] = x[row] === 0 && sign[row] === up ? 1 : 0;
    data[row * seen + 1] = x[row] === 0 && sign[row] === down ? 1 : 0;
    data[row * seen + 2] = x[row] / length[row];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { turns, x, length, sign } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      const way = action.data[row];
      reward[row] = 0;
      if (way === on) x[row] = Math.min(length[row], x[row] + 1);
      else if (x[row] === length[row]) {
        reward[row] = way === sign[row] ? 1 / this.corridors : 0;
        if (++turns[row] === this.corridors) this.terminated.data[row] = 1;
        else this.corridor(row);
      }
      this.observe(row);
    }
  }

  render(row: number): string {
    const rows = this.cells(row).map((line) => line.map((c) => c.letter ?? (c.color === wall ? "█" : " ")));
    return `${drawGrid(rows, this.at(row))}\n${this.said(row)}`;
  }

  picture(row: number): Rendering {
    return gridPicture(this.cells(row), this.at(row), { text: this.said(row) });
  }

  private said(row: number): string {
    const { turns, sign } = this.state;
    return `corridor ${turns[row] + 1} of ${this.corridors}, the sign says ${sign[row] === up ? "up" : "down"}`;
  }

  private at(row: number): number {
    return this.state.length[row] + 1 + this.state.x[row];
  }

  private cells(row: number): Cell[][] {
    const { length, sign } = this.state;
    return [up, on, down].map((line) =>
      Array.from({ length: length[row] + 1 }, (_, i): Cell => {
        if (line !== on)
          return i === length[row] ? { color: floor, flag: line === sign[row] } : { color: wall };
        return i === 0 ? { color: "#fff8c5", letter: sign[row] === up ? "↑" : "↓" } : { color: floor };
      }),
    );
  }
}

const [wall, floor] = ["#8c959f", "#ffffff"] as const;
