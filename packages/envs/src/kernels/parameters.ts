import type { Parameters } from "../parameters.ts";
import { type Column, column } from "./memory.ts";

/** The parameters of a problem in kernel memory. */
export class ParameterColumns {
  private readonly columns: { readonly [name: string]: Column<Float64Array> };

  constructor(rows: number, { columns }: Parameters) {
    this.columns = Object.fromEntries(
      Object.entries(columns).map(([name, values]) => {
        const made = column(Float64Array, Math.max(2, rows));
        made.data.fill(values[0]);
        return [name, made];
      }),
    );
  }

  /** While rows do not differ, they have the default values. */
  of({ columns, varied }: Parameters): { readonly [name: string]: Column<Float64Array> } {
    if (varied) for (const name in columns) this.columns[name].data.set(columns[name]);
    return this.columns;
  }
}
