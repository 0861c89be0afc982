import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { drawGrid } from "../toy/grid.ts";
import { type CoverageField, look, walked } from "./field.ts";

/** Options of a coverage environment. */
export interface CoverageEnvOptions extends BatchedOptions {
  readonly field: CoverageField;
  /** Steps per episode. */
  readonly horizon: number;
  /** Reward: the newly covered value of each step (`gains`), or the total at the last step (`end`). */
  readonly pays: "gains" | "end";
  /** Probability that a move goes in a random direction. */
  readonly slip?: number;
}

/**
 * Walks through a field from its centre, for neural policies. Observations are the position, one number per cell,
 * and the elapsed time, but not the visited cells. Either reward adds up to the covered value.
 */
export class CoverageEnv extends BatchedEnv {
  protected readonly state;
  private readonly field: CoverageField;
  private readonly horizon: number;
  private readonly pays: "gains" | "end";
  private readonly slip: number;

  constructor({ field, horizon, pays, slip = 0, ...options }: CoverageEnvOptions) {
    const cells = field.worth.length;
    super({ id: "Coverage-v0", observation: box([cells + 1], 0, 1), action: discrete(4) }, options);
    this.field = field;
    this.horizon = horizon;
    this.pays = pays;
    this.slip = slip;
    this.state = {
      at: new Int32Array(this.rows),
      time: new Int32Array(this.rows),
      covered: new Float64Array(this.rows),
      marked: new Uint8Array(this.rows * cells),
    };
  }

  protected begin(row: number): void {
    const { at, time, covered } = this.state;
    at[row] = (this.field.size >> 1) * (this.field.size + 1);
    time[row] = covered[row] = 0;
    this.marks(row).fill(0);
  }

  protected observe(row: number): void {
    const cells = this.field.worth.length;
    const { data } = this.observation;
    const start = row * (cells + 1);
    data.fill(0, start, start + cells);
    data[start + this.state.at[row]] = 1;
    data[start + cells] = this.state.time[row] / this.horizon;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { at, time, covered } = this.state;
    for (let row = from; row < to; row++) {
      const random = this.random[row];
      const slips = this.slip > 0 && random.random() < this.slip;
      at[row] = walked(this.field.size, at[row], slips ? random.integers(4) : action.data[row]);
      const gain = look(this.field, at[row], this.marks(row));
      covered[row] += gain;
      const over = ++time[row] === this.horizon;
      this.reward.data[row] = this.pays === "gains" ? gain : over ? covered[row] : 0;
      this.terminated.data[row] = over ? 1 : 0;
      this.observe(row);
    }
  }

  /** Marks of covered cells. */
  render(row: number): string {
    const { size } = this.field;
    const marks = this.marks(row);
    const line = (r: number) => Array.from({ length: size }, (_, c) => (marks[r * size + c] ? "·" : " "));
    return drawGrid(
      Array.from({ length: size }, (_, r) => line(r)),
      this.state.at[row],
    );
  }

  private marks(row: number): Uint8Array {
    const cells = this.field.worth.length;
    return this.state.marked.subarray(row * cells, (row + 1) * cells);
  }
}

/** A coverage environment for training. */
export const coverageEnv = (options: Omit<CoverageEnvOptions, "rows">) => ({
  spec: new CoverageEnv(options).spec,
  make: (rows: number) => new CoverageEnv({ ...options, rows }),
});
