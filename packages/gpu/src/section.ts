/** One line of the report: what was compared or measured, and its result. */
export interface Row {
  readonly what: string;
  readonly result: string;
  /** Whether it counts as a difference. */
  readonly failed?: boolean;
  /** Measurements, for the JSON file. */
  readonly numbers?: { readonly [name: string]: number };
}

/** A part of the program. It yields rows as they are known, so that a section that is stopped has shown the others. */
export interface Section {
  readonly name: string;
  rows(options: Options): Iterable<Row> | AsyncIterable<Row>;
}

export interface Options {
  /** The CPU back end with the same bits. */
  readonly peer: "native" | "wasm";
  /** The back end beside which training is timed: native where there is a C compiler. */
  readonly fastest: "native" | "wasm";
  readonly programs: number;
  /** Whether sizes are those of a GPU, or small ones for the emulated one. */
  readonly large: boolean;
}

/** Seconds that `f` takes, and its result. */
export function timed<T>(f: () => T): { seconds: number; value: T } {
  const start = performance.now();
  const value = f();
  return { seconds: (performance.now() - start) / 1e3, value };
}
