import { type EnvContext, fail, type Saved, type Snapshot } from "@reins/core";
import { restore, save } from "@reins/core/snapshots";

/** Constants of a problem that a context may change, with their default values. */
export type Defaults = { readonly [name: string]: number };

/** The constants of each row: the defaults, or its context's values. */
export class Parameters implements Saved {
  /** Whether rows may differ. While they do not, a loop may read the parameters once, of row 0. */
  varied = false;
  private readonly id: string;
  private readonly defaults: Defaults;
  /** Each parameter by row. A loop reads `columns.gravity[row]`: a method would box every number that it returns. */
  readonly columns: { readonly [name: string]: Float64Array };

  constructor(id: string, defaults: Defaults, rows: number) {
    this.id = id;
    this.defaults = defaults;
    this.columns = Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [name, new Float64Array(rows).fill(value)]),
    );
  }

  /** Writes a context into a row; parameters that it omits get their default. */
  adopt(row: number, context: EnvContext | undefined): void {
    if (!context && !this.varied) return;
    this.varied = true;
    for (const name in this.defaults) this.columns[name][row] = this.defaults[name];
    for (const name in context) {
      const value = context[name];
      if (!(name in this.defaults)) {
        const known = Object.keys(this.defaults).join(", ") || "nothing";
        fail(this.id, `unknown parameter "${name}" in the context. It may have ${known}.`);
      }
      if (typeof value !== "number" || !Number.isFinite(value))
        fail(this.id, `"${name}" of the context is ${value}; it must be a finite number.`);
      this.columns[name][row] = value;
    }
  }

  save(): Snapshot {
    return save({ varied: this.varied, columns: this.columns });
  }

  restore(from: Snapshot): void {
    const parts = { varied: this.varied, columns: this.columns };
    restore(parts, from);
    this.varied = parts.varied;
  }
}
