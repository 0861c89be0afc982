import { box, discrete } from "@reins/core";
import type { Generator } from "@reins/core/random";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { drawGrid } from "./grid.ts";
import { cellBeside } from "./maze-levels.ts";
import { type MossLevel, mossLevel } from "./moss-levels.ts";

/** Options of moss fields. */
export interface MossFieldOptions extends BatchedOptions {
  /** Cells along each side. */
  readonly size?: number;
  /** Fraction of wall cells, for sampled levels. */
  readonly walls?: number;
  /** What each step costs. */
  readonly cost?: number;
  /** Returns the next level of a row; without it, levels are sampled. */
  readonly level?: (row: number, random: Generator) => MossLevel;
}

/**
 * Small mazes with a hidden goal: moss, walls and the agent are observed, one number per cell, and in sampled
 * levels moss grows near the goal. The goal has reward 1 and ends the episode. The meaning of moss has to be
 * learned, and generated levels may mislead about it. After the cave of Garcin et al. (2024).
 */
export class MossField extends BatchedEnv {
  protected readonly state;
  private readonly size: number;
  private readonly cost: number;
  private readonly level: NonNullable<MossFieldOptions["level"]>;

  constructor(options: MossFieldOptions = {}) {
    const { size = 4, walls = 0.25, cost = 0.02, level, ...rest } = options;
    const cells = size * size;
    super(
      {
        id: "MossField-v0",
        observation: box([3 * cells], 0, 1),
        action: discrete(4),
        maxSteps: 2 * cells,
      },
      rest,
    );
    this.size = size;
    this.cost = cost;
    this.level = level ?? ((_, random) => mossLevel(random, size, walls));
    this.state = {
      at: new Int32Array(this.rows),
      goal: new Int32Array(this.rows),
      walls: new Uint8Array(this.rows * cells),
      moss: new Uint8Array(this.rows * cells),
    };
  }

  protected begin(row: number): void {
    const { walls, moss, start, goal } = this.level(row, this.random[row]);
    this.state.at[row] = start;
    this.state.goal[row] = goal;
    this.state.walls.set(walls, row * walls.length);
    this.state.moss.set(moss, row * walls.length);
  }

  protected observe(row: number): void {
    const cells = this.size * this.size;
    const { walls, moss, at } = this.state;
    const { data } = this.observation;
    const start = 3 * cells * row;
    for (let cell = 0; cell < cells; cell++) {
      data[start + cell] = walls[row * cells + cell];
      data[start + cells + cell] = moss[row * cells + cell];
      data[start + 2 * cells + cell] = cell === at[row] ? 1 : 0;
    }
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { at, goal } = this.state;
    for (let row = from; row < to; row++) {
      at[row] = cellBeside(this.wallsOf(row), this.size, at[row], action.data[row]);
      const arrived = at[row] === goal[row];
      this.reward.data[row] = (arrived ? 1 : 0) - this.cost;
      this.terminated.data[row] = arrived ? 1 : 0;
      this.observe(row);
    }
  }

  render(row: number): string {
    const { size } = this;
    const [walls, goal] = [this.wallsOf(row), this.state.goal[row]];
    const sign = (cell: number) =>
      cell === goal ? "G" : walls[cell] ? "#" : this.state.moss[row * size * size + cell] ? "," : " ";
    const line = (r: number) => Array.from({ length: size }, (_, c) => sign(r * size + c));
    return drawGrid(
      Array.from({ length: size }, (_, r) => line(r)),
      this.state.at[row],
    );
  }

  private wallsOf(row: number): Uint8Array {
    const cells = this.size * this.size;
    return this.state.walls.subarray(row * cells, (row + 1) * cells);
  }
}

/** A moss environment for training. */
export const mossField = (options: Omit<MossFieldOptions, "rows"> = {}) => ({
  spec: new MossField(options).spec,
  make: (rows: number) => new MossField({ ...options, rows }),
});
