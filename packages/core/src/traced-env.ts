import type { Tensor, Tree } from "@reins/tensor";
import type { Rendering } from "./drawing.ts";
import type { EnvSpec } from "./env-spec.ts";

/**
 * An environment made of tensor operations on a batch: every tensor has the leading axis [rows]. `params` are physical constants or
 * the weights of a learned model; gradients flow through all of it.
 */
export interface TracedEnv<P extends Tree = Tree, S extends Tree = Tree> {
  readonly spec: EnvSpec;
  /**
   * Whether `reset` and `step` also accept one key per row, [rows, 2]. A row's episodes then depend on its own seed only, not on other
   * rows; otherwise all rows share one key and differ by their position.
   */
  readonly rowKeys?: boolean;
  reset(params: P, rows: number, key: Tensor): S;
  observe(params: P, state: S): Tree;
  step(params: P, state: S, action: Tree, key: Tensor): TracedStep<S>;
  /** A rendering of one row as shapes; the state holds numbers here. */
  picture?(params: P, state: S, row: number): Rendering;
  /** A rendering of one row as lines of text. */
  render?(params: P, state: S, row: number): string;
}

/** Rows of a traced environment that step within a larger function. They share the columns of their VectorEnv. */
export interface TracedRows {
  /** The state carried from step to step; the caller updates it in place. */
  readonly carry: Tree;
  readonly params: Tree;
  step(carry: Tree, params: Tree, action: Tree): TracedColumns & { readonly carry: Tree };
  /** Records the results of step `t` of a grid, as if `step` had taken it. */
  took(t: number, grid: Pick<TracedColumns, "reward" | "terminated" | "truncated">): void;
}

/** The columns that a traced step of all rows makes. */
export type TracedColumns = {
  readonly observation: Tree;
  readonly final: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
};

/** Result of a traced step. */
export interface TracedStep<S extends Tree = Tree> {
  readonly state: S;
  readonly reward: Tensor;
  /** bool [rows] */
  readonly terminated: Tensor;
}
