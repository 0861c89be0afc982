/** Tuned settings of one algorithm on one environment. */
export interface Tuned {
  /** Sufficient environment steps. */
  readonly steps: number;
  /** Options that differ from the algorithm's defaults. Signals are plain data, so the table can be printed. */
  readonly options: { readonly [name: string]: unknown };
  /** Wrappers around the training environment, by name, in order from the inside. */
  readonly wrappers?: readonly string[];
}

/** By "algorithm/environment". */
export type TunedTable = { readonly [pair: string]: Tuned };
