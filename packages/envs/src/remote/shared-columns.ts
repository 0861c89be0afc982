import type { VectorEnv } from "@reins/core";
import { columnNames } from "@reins/core/forms";
import { leaves, type Tensor, type Tree, type TypedArray } from "@reins/tensor";
import { header } from "./messages.ts";
import { arrayOver, bytesEach } from "./mirror.ts";
import { columnsLike, type Outline, outlineOf } from "./outline.ts";

/** The columns that the steps of an environment write; some are optional. */
export type Results = { readonly [name in (typeof columnNames)[number]]?: Tree };

/** The result columns as plain data. */
export type ResultOutlines = { readonly [name in (typeof columnNames)[number]]?: Outline };

/** The outline of an environment's results. */
export const outlinesOf = (env: VectorEnv): ResultOutlines =>
  Object.fromEntries(columnNames.flatMap((name) => (env[name] ? [[name, outlineOf(env[name])]] : [])));

/** Results for another number of rows. */
export const resultsLike = (outlines: ResultOutlines, rows: number): Results =>
  Object.fromEntries(
    columnNames.flatMap((name) => (outlines[name] ? [[name, columnsLike(outlines[name], rows)]] : [])),
  );

/** The columns of results, in the order of their names. */
export const resultLeaves = (results: Results): Tensor[] =>
  columnNames.flatMap((name) => (results[name] ? leaves(results[name]) : []));

/**
 * Actions and results of some rows, in shared memory or copied between the two sides: all actions are contiguous,
 * and so are all results, each after room for a message header.
 */
export class SharedColumns {
  readonly memory: ArrayBufferLike;
  readonly actions: readonly TypedArray[];
  readonly results: readonly TypedArray[];
  /** The columns of `ended`. */
  readonly returns: Float64Array;
  readonly lengths: Int32Array;
  /** The bytes of all actions. */
  readonly acted: Uint8Array;
  /** The bytes of everything else. */
  readonly led: Uint8Array;

  /** For `rows` rows of columns like these, which may have more rows. */
  constructor(
    actions: readonly Tensor[],
    results: readonly Tensor[],
    rows: number,
    allocate: (bytes: number) => ArrayBufferLike,
  ) {
    let end = 0;
    const take = (bytes: number) => {
      const at = end;
      end += Math.ceil(bytes / 8) * 8;
      return at;
    };
    const placeOf = ({ size, shape, dtype }: Tensor) => {
      const count = (size / shape[0]) * rows;
      return { dtype, count, at: take(count * bytesEach(dtype)) };
    };
    take(header);
    const actionPlaces = actions.map(placeOf);
    const half = take(header);
    const [returns, lengths] = [take(8 * rows), take(4 * rows)];
    const resultPlaces = results.map(placeOf);
    this.memory = allocate(end);
    const over = ({ dtype, at, count }: ReturnType<typeof placeOf>) =>
      arrayOver(dtype, this.memory, at, count);
    this.actions = actionPlaces.map(over);
    this.results = resultPlaces.map(over);
    this.returns = new Float64Array(this.memory, returns, rows);
    this.lengths = new Int32Array(this.memory, lengths, rows);
    this.acted = new Uint8Array(this.memory, 0, half);
    this.led = new Uint8Array(this.memory, half);
  }
}
