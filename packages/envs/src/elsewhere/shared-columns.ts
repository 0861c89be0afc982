import type { VectorEnv } from "@reins/core";
import { leaves, type Tensor, type Tree, type TypedArray } from "@reins/tensor";
import { arrayOver, bytesEach } from "./mirror.ts";
import { columnsLike, type Outline, outlineOf } from "./outline.ts";

/** All that a step leads to, in the order in which both sides know it. */
const names = [
  "observation",
  "final",
  "reward",
  "terminated",
  "truncated",
  "mask",
  "alive",
  "global",
  "finalGlobal",
] as const;

/** The columns that the steps of an environment write; it has not all of them. */
export type Results = { readonly [name in (typeof names)[number]]?: Tree };

/** The same as plain data. */
export type ResultOutlines = { readonly [name in (typeof names)[number]]?: Outline };

/** What the results of an environment look like. */
export const outlinesOf = (env: VectorEnv): ResultOutlines =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, outlineOf(env[name])]] : [])));

/** Results for another number of rows. */
export const resultsLike = (outlines: ResultOutlines, rows: number): Results =>
  Object.fromEntries(
    names.flatMap((name) => (outlines[name] ? [[name, columnsLike(outlines[name], rows)]] : [])),
  );

/** The columns of results, in the order of their names. */
export const resultLeaves = (results: Results): Tensor[] =>
  names.flatMap((name) => (results[name] ? leaves(results[name]) : []));

/** Actions and results of some rows, in memory that two threads have. */
export class SharedColumns {
  readonly memory: SharedArrayBuffer;
  readonly actions: readonly TypedArray[];
  readonly results: readonly TypedArray[];
  /** What `ended` holds. */
  readonly returns: Float64Array;
  readonly lengths: Int32Array;

  /** For `rows` of columns that look like these, whose own rows may be more. */
  constructor(
    actions: readonly Tensor[],
    results: readonly Tensor[],
    rows: number,
    memory?: SharedArrayBuffer,
  ) {
    let end = 16 * rows;
    const places = [...actions, ...results].map(({ size, shape, dtype }) => {
      const place = { dtype, at: end, count: (size / shape[0]) * rows };
      end += Math.ceil((place.count * bytesEach(dtype)) / 8) * 8;
      return place;
    });
    this.memory = memory ?? new SharedArrayBuffer(end);
    const arrays = places.map(({ dtype, at, count }) => arrayOver(dtype, this.memory, at, count));
    this.actions = arrays.slice(0, actions.length);
    this.results = arrays.slice(actions.length);
    this.returns = new Float64Array(this.memory, 0, rows);
    this.lengths = new Int32Array(this.memory, 8 * rows, rows);
  }
}
