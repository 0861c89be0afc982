import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import type { nn } from "./nn.ts";

/** Weights with the state of the optimiser that moves them. */
export type Learned<W extends Tree = Tree> = {
  readonly weights: W;
  readonly optimiser: nn.OptimiserState<W>;
};

/** What an update is given beside its batch. */
export interface Chance {
  readonly key: Tensor;
  /** How much each entry counts, where they were not drawn uniformly. */
  readonly weight?: Tensor;
}

/** What an update gives back. */
export type Improved<S extends Tree = Tree> = {
  readonly state: S;
  readonly metrics: { readonly [name: string]: Tensor };
  /** How wrong each entry's estimate was, for replays that choose by it. */
  readonly errors?: Tensor;
};

/**
 * What learns: weights, target weights, optimisers, in one tree that an update maps to the next. `update` is a pure function of tensors: it
 * can be compiled, differentiated through (meta-gradients), batched over seeds (`vmap`), averaged (federated), forked and reverted.
 */
export interface Learner<S extends Tree = Tree, C extends Columns = Columns> {
  /** Columns that it cannot do without, so that experience that lacks them is refused before the first update. */
  readonly reads?: readonly string[];
  init(key: Tensor): S;
  update(state: S, batch: C, chance: Chance): Improved<S>;
  /** The part of the tree that the policy acts with. */
  acting(state: S): Tree;
}
