import type { Parameters } from "../parameters.ts";
import { type Column, column } from "./memory.ts";

/** The parameters of a problem where kernels can reach them: of the first two rows while all are equal, else of every row. */
export class ParameterColumns {
  private readonly columns: { readonly [name: string]: Column<Float64Array> };

  constructor(rows: number, { columns }: Parameters) {
    this.columns = Object.fromEntries(
      Object.keys(columns).map((name) => [name, column(Float64Array, Math.max(2, rows))]),
    );
  }

  of({ columns, varied }: Parameters): { readonly [name: string]: Column<Float64Array> } {
    for (const name in columns) {
      const { data } = this.columns[name];
      if (varied) data.set(columns[name]);
      else data[0] = data[1] = columns[name][0];
    }
    return this.columns;
  }
}
