import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import type { nn } from "./nn.ts";

/** Weights and the state of their optimiser. */
export type TrainState<W extends Tree = Tree> = {
  readonly weights: W;
  readonly optimiser: nn.OptimiserState<W>;
};

/** Input of an update besides its batch. */
export interface UpdateInput {
  readonly key: Tensor;
  /** Importance weight of each entry, if sampling is not uniform. */
  readonly weight?: Tensor;
}

/** Result of an update. */
export type UpdateResult<S extends Tree = Tree> = {
  readonly state: S;
  readonly metrics: { readonly [name: string]: Tensor };
  /** TD error of each entry, for prioritised replay. */
  readonly errors?: Tensor;
};

/**
 * The state that an update maps to the next: weights, target weights, optimisers, in one tree. `update` is a pure function of tensors: it
 * can be compiled, differentiated through (meta-gradients), batched over seeds (`vmap`), averaged (federated), forked and reverted.
 */
export interface Learner<S extends Tree = Tree, C extends Columns = Columns> {
  /** Columns that it needs; experience without them is rejected before the first update. */
  readonly reads?: readonly string[];
  init(key: Tensor): S;
  update(state: S, batch: C, chance: UpdateInput): UpdateResult<S>;
  /** The part of the tree that the policy acts with. */
  acting(state: S): Tree;
}
