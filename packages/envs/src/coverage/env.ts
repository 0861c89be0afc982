import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { drawGrid } from "../toy/grid.ts";
import { type CoverageField, look, walked } from "./field.ts";

/** How a field is covered by many at once. */
export interface CoverageEnvOptions extends BatchedOptions {
  readonly field: CoverageField;
  /** Steps in an episode. */
  readonly horizon: number;
  /** What a step pays: what it adds to what was seen before (`gains`), or nothing, and the last step what was seen in all (`end`). */
  readonly pays: "gains" | "end";
  /** How often a way leads anywhere else. */
  readonly slip?: number;
}

/**
 * Walks through a field, each begun in its middle, for methods with networks. Seen are the place, a number for each cell, and the share of
 * the time that is over, not where one has been. Either way of paying adds up to what the walk has covered.
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

  /** What was seen is marked. */
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

/** Where one learns to cover a field. */
export const coverageEnv = (options: Omit<CoverageEnvOptions, "rows">) => ({
  spec: new CoverageEnv(options).spec,
  make: (rows: number) => new CoverageEnv({ ...options, rows }),
});
