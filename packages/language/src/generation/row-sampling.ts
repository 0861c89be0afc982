import { type Tensor, zeros } from "@reins/tensor";
import type { RowSettings, Sampling } from "./sampling.ts";
import type { Sequence } from "./sequence.ts";

/** 1 / temperature; 0 stands for greedy. */
export const inverseOf = (temperature: number): number => (temperature > 0 ? 1 / temperature : 0);

/** Sampling settings of each row, for steps in which a request has its own. */
export class RowSampling {
  private readonly rows: number;
  private readonly defaults: Sampling;
  private inverseTemperature: Tensor | undefined;
  private topP: Tensor | undefined;

  constructor(rows: number, defaults: Sampling) {
    this.rows = rows;
    this.defaults = defaults;
  }

  /** The settings of this step's rows; undefined where all rows use the generator's settings. */
  of(active: readonly (Sequence | undefined)[]): RowSettings | undefined {
    let [temperatures, shares] = [false, false];
    for (const sequence of active) {
      const own = sequence?.request.sampling;
      if (own?.temperature !== undefined) temperatures = true;
      if (own?.topP !== undefined) shares = true;
    }
    if (!temperatures && !shares) return undefined;
    const { temperature = 1, topP = 1 } = this.defaults;
    if (temperatures) {
      this.inverseTemperature ??= zeros([this.rows], "f32");
      for (let r = 0; r < this.rows; r++)
        this.inverseTemperature.data[r] = inverseOf(active[r]?.request.sampling?.temperature ?? temperature);
    }
    if (shares) {
      this.topP ??= zeros([this.rows], "f32");
      for (let r = 0; r < this.rows; r++) {
        const share = active[r]?.request.sampling?.topP ?? topP;
        // Sums of rounded probabilities may exceed 1, but never 2.
        this.topP.data[r] = share < 1 ? share : 2;
      }
    }
    return {
      ...(temperatures ? { inverseTemperature: this.inverseTemperature } : {}),
      ...(shares ? { topP: this.topP } : {}),
    };
  }
}
