import type { Tensor, Tree } from "@reins/tensor";
import type { nn } from "./nn.ts";
import type { Columns } from "./target.ts";

/** Parameters and the optimiser's state: what learning changes. */
export type Learned<W extends Tree = Tree> = {
  readonly weights: W;
  readonly optimiser: nn.OptimiserState<W>;
};

/** What an update gives back. */
export type Learnt<W extends Tree = Tree> = Learned<W> & {
  readonly metrics: { readonly [name: string]: Tensor };
};

/**
 * Parameters and how they learn. `update` is a pure function of tensors: it can be compiled, differentiated through (meta-gradients),
 * batched over seeds (`vmap`), averaged (federated), forked and reverted.
 */
export interface Learner<W extends Tree = Tree, C extends Columns = Columns> {
  init(key: Tensor): Learned<W>;
  update(learned: Learned<W>, columns: C, key: Tensor): Learnt<W>;
}
