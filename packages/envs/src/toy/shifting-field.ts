import { discrete, type VectorResetOptions } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { drawGrid } from "./grid.ts";

/** Options of a shifting field. */
export interface ShiftingFieldOptions extends BatchedOptions {
  /** Cells along each side. */
  readonly size?: number;
  /** Steps of a row after which its next episode begins in another field; `Infinity`: never. */
  readonly every?: number;
  /** What each step costs. */
  readonly cost?: number;
}

/** Up, right, down, left: rows and columns. */
const directions = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];

/**
 * A square field whose goal has reward 1 and ends the episode. After a number of steps everything learned becomes
 * invalid: the goal moves, and the observed names of cells and the directions of actions are permuted. All fields
 * are equally hard, so lower returns in later ones measure a loss of plasticity.
 */
export class ShiftingField extends BatchedEnv {
  protected readonly state;
  private readonly size: number;
  private readonly every: number;
  private readonly cost: number;

  constructor(options: ShiftingFieldOptions = {}) {
    const { size = 4, every = 1250, cost = 0.04, ...rest } = options;
    const cells = size * size;
    super({ id: "ShiftingField-v0", observation: discrete(cells), action: discrete(4), maxSteps: 25 }, rest);
    this.size = size;
    this.every = every;
    this.cost = cost;
    const { rows } = this;
    this.state = {
      at: new Int32Array(rows),
      goal: new Int32Array(rows),
      /** Remaining steps in this field. */
      left: new Float64Array(rows),
      /** The name of each cell, row after row, and the direction of each action. */
      names: new Int32Array(rows * cells),
      turns: new Int32Array(rows * 4),
    };
  }

  /** The expected return of the optimal policy in every field. */
  static best({ size = 4, cost = 0.04 }: ShiftingFieldOptions = {}): number {
    // Along one side the mean distance of two cells is (n² - 1) / 3n; start and goal differ.
    const apart = (2 * (size * size - 1)) / (3 * size);
    return 1 - (cost * apart * size * size) / (size * size - 1);
  }

  /** Begins in a new field, so that a seed determines everything. */
  override reset(options?: VectorResetOptions): void {
    this.state.left.fill(0);
    super.reset(options);
  }

  protected begin(row: number): void {
    const { state, size } = this;
    const cells = size * size;
    const random = this.random[row];
    if (state.left[row] <= 0) {
      state.left[row] = this.every;
      state.goal[row] = random.integers(cells);
      state.names.set(random.permutation(cells), row * cells);
      state.turns.set(random.permutation(4), row * 4);
    }
    const at = random.integers(cells - 1);
    state.at[row] = at < state.goal[row] ? at : at + 1;
  }

  protected observe(row: number): void {
    const cells = this.size * this.size;
    this.observation.data[row] = this.state.names[row * cells + this.state.at[row]];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { at, goal, left, turns } = this.state;
    const inside = (x: number) => Math.min(Math.max(x, 0), this.size - 1);
    for (let i = from; i < to; i++) {
      const [down, right] = directions[turns[i * 4 + action.data[i]]];
      at[i] = inside(Math.floor(at[i] / this.size) + down) * this.size + inside((at[i] % this.size) + right);
      left[i]--;
      const arrived = at[i] === goal[i];
      this.reward.data[i] = (arrived ? 1 : 0) - this.cost;
      this.terminated.data[i] = arrived ? 1 : 0;
      this.observe(i);
    }
  }

  render(row: number): string {
    const { at, goal } = this.state;
    const line = (r: number) =>
      Array.from({ length: this.size }, (_, c) => (r * this.size + c === goal[row] ? "G" : " "));
    return drawGrid(
      Array.from({ length: this.size }, (_, r) => line(r)),
      at[row],
    );
  }
}

/** A shifting field environment for training. */
export const shiftingField = (options: Omit<ShiftingFieldOptions, "rows"> = {}) => ({
  spec: new ShiftingField(options).spec,
  make: (rows: number) => new ShiftingField({ ...options, rows }),
});
