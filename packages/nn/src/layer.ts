import type { Tensor, Tree } from "@reins/tensor";

/**
 * Optional inputs of a layer. A `key` means training: random layers (dropout) sample from it. Without one, every
 * layer is deterministic.
 */
export interface LayerContext {
  readonly key?: Tensor;
}

/**
 * A layer is two pure functions. `init` makes parameters, a plain tree of tensors that the caller keeps; `apply` uses them.
 * Both work eagerly and inside `compile()`.
 */
export interface Layer<P extends Tree = Tree, X = Tensor, Y = Tensor> {
  /** New parameters; the same key gives the same parameters. */
  init(key: Tensor): P;
  apply(params: P, x: X, context?: LayerContext): Y;
}

/** Result of a step: the output, and the state for the next step. */
export type RecurrentStep<S extends Tree> = { output: Tensor; state: S };

/**
 * A recurrent layer. The caller carries the state, a tree: `start` makes an empty one, `step` advances it by one time
 * step, `sequence` by many at once.
 */
export interface Recurrent<P extends Tree = Tree, S extends Tree = Tree> {
  init(key: Tensor): P;
  /** The state at the beginning of an episode, for `batch` rows. */
  start(batch: number): S;
  /** One time step: `x` is [batch, features]. Rows where `reset` (bool [batch]) is true begin a new episode with this `x`. */
  step(params: P, x: Tensor, state: S, reset?: Tensor): RecurrentStep<S>;
  /** Many time steps: `xs` is [time, batch, features], `resets` is bool [time, batch], the output is [time, batch, …]. */
  sequence(params: P, xs: Tensor, state: S, resets?: Tensor): RecurrentStep<S>;
}

/** Result of a training step of a layer with statistics: the output, and the next statistics. */
export type TrackingResult<S extends Tree> = { output: Tensor; statistics: S };

/**
 * A layer with running statistics. The caller carries them, separately from the parameters: gradients and weight decay do not change
 * them. `start` makes the initial ones, `learn` processes a batch and returns the next ones, `apply` uses them unchanged.
 */
export interface StatefulLayer<P extends Tree = Tree, S extends Tree = Tree> {
  init(key: Tensor): P;
  /** Initial statistics, before any batch. */
  start(): S;
  /** `x` is [rows, features]. The output depends on the whole batch here, and only here. */
  learn(params: P, statistics: S, x: Tensor, context?: LayerContext): TrackingResult<S>;
  apply(params: P, statistics: S, x: Tensor): Tensor;
}
