import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import type { LevelCounts, LevelSplit } from "../grid-worlds/level-set.ts";
import { drawGrid } from "./grid.ts";
import { cellBeside, type Maze, mazeSet } from "./maze-levels.ts";

/** Options of maze fields. */
export interface MazeFieldOptions extends BatchedOptions {
  /** Cells along each side. */
  readonly size?: number;
  /** Fraction of wall cells. */
  readonly walls?: number;
  /** Numbers of training and test mazes. */
  readonly levels?: number | LevelCounts;
  /** Which mazes are played. */
  readonly split?: LevelSplit;
  /** What each step costs. */
  readonly cost?: number;
}

/**
 * Small random mazes, fully observed from above: walls, the agent and the goal, one number per cell. The goal has
 * reward 1 and ends the episode. Training mazes are few, and test mazes differ: memorised solutions are worthless
 * there.
 */
export class MazeField extends BatchedEnv {
  protected readonly state;
  private readonly size: number;
  private readonly cost: number;
  private readonly mazes: readonly Maze[];

  constructor(options: MazeFieldOptions = {}) {
    const { size = 5, walls = 0.25, levels = 100, split = "train", cost = 0.02, ...rest } = options;
    const id = "MazeField-v0";
    const observation = box([3 * size * size], 0, 1);
    super({ id, observation, action: discrete(4), maxSteps: 2 * size * size }, rest);
    this.size = size;
    this.cost = cost;
    this.mazes = mazeSet(id, { size, walls }, levels, split);
    this.state = { at: new Int32Array(this.rows), maze: new Int32Array(this.rows) };
  }

  /** The mean return of the optimal policy. */
  get best(): number {
    const ways = this.mazes.reduce((sum, { distance }) => sum + distance, 0);
    return 1 - (this.cost * ways) / this.mazes.length;
  }

  protected begin(row: number): void {
    const maze = this.random[row].integers(this.mazes.length);
    this.state.maze[row] = maze;
    this.state.at[row] = this.mazes[maze].start;
  }

  protected observe(row: number): void {
    const cells = this.size * this.size;
    const { walls, goal } = this.mazes[this.state.maze[row]];
    const { data } = this.observation;
    const start = 3 * cells * row;
    data.fill(0, start, start + 3 * cells);
    data.set(walls, start);
    data[start + cells + this.state.at[row]] = 1;
    data[start + 2 * cells + goal] = 1;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { at, maze } = this.state;
    for (let i = from; i < to; i++) {
      const { walls, goal } = this.mazes[maze[i]];
      at[i] = cellBeside(walls, this.size, at[i], action.data[i]);
      const arrived = at[i] === goal;
      this.reward.data[i] = (arrived ? 1 : 0) - this.cost;
      this.terminated.data[i] = arrived ? 1 : 0;
      this.observe(i);
    }
  }

  render(row: number): string {
    const { walls, goal } = this.mazes[this.state.maze[row]];
    const sign = (cell: number) => (cell === goal ? "G" : walls[cell] ? "#" : " ");
    const line = (r: number) => Array.from({ length: this.size }, (_, c) => sign(r * this.size + c));
    return drawGrid(
      Array.from({ length: this.size }, (_, r) => line(r)),
      this.state.at[row],
    );
  }
}

/** A maze environment for training. */
export const mazeField = (options: Omit<MazeFieldOptions, "rows"> = {}) => {
  const { spec, best } = new MazeField(options);
  return { spec, best, make: (rows: number) => new MazeField({ ...options, rows }) };
};
