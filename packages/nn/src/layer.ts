import type { Tensor, Tree } from "@reins/tensor";

/**
 * What a layer may need beside its input. A `key` means training: what is random (dropout) draws from it. Without one, every
 * layer is deterministic.
 */
export interface Context {
  readonly key?: Tensor;
}

/**
 * A layer is two pure functions. `init` makes parameters, a plain tree of tensors that the caller keeps; `apply` uses them.
 * Both work eagerly and inside `compile()`.
 */
export interface Layer<P extends Tree = Tree, X = Tensor, Y = Tensor> {
  /** New parameters; the same key gives the same ones. */
  init(key: Tensor): P;
  apply(params: P, x: X, context?: Context): Y;
}

/** What a step gives back: the output, and the state for the next step. */
export type Step<S extends Tree> = { output: Tensor; state: S };

/**
 * A layer with memory. The state is a tree that the caller carries: `start` makes an empty one, `step` advances it by one time
 * step, `sequence` by many at once.
 */
export interface Recurrent<P extends Tree = Tree, S extends Tree = Tree> {
  init(key: Tensor): P;
  /** The state at the beginning of an episode, for `batch` rows. */
  start(batch: number): S;
  /** One time step: `x` is [batch, features]. Rows where `reset` (bool [batch]) is true begin a new episode with this `x`. */
  step(params: P, x: Tensor, state: S, reset?: Tensor): Step<S>;
  /** Many time steps: `xs` is [time, batch, features], `resets` is bool [time, batch], the output is [time, batch, …]. */
  sequence(params: P, xs: Tensor, state: S, resets?: Tensor): Step<S>;
}

/** What a look that teaches a layer gives: the output, and the statistics for the next one. */
export type Tracked<S extends Tree> = { output: Tensor; statistics: S };

/**
 * A layer that keeps statistics of what it has seen. The caller carries them, apart from the parameters: no gradient and no weight decay
 * moves them. `start` makes the first ones, `learn` looks at a batch and gives those that follow, `apply` uses them as they are.
 */
export interface Tracking<P extends Tree = Tree, S extends Tree = Tree> {
  init(key: Tensor): P;
  /** Statistics of nothing. */
  start(): S;
  /** `x` is [rows, features]. What rows are given together matters here, and only here. */
  learn(params: P, statistics: S, x: Tensor, context?: Context): Tracked<S>;
  apply(params: P, statistics: S, x: Tensor): Tensor;
}
