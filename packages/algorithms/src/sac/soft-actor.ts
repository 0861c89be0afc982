import type { ActingPolicy } from "@reins/core";
import type { Tensor, Tree } from "@reins/tensor";

/** An actor of a soft actor-critic. */
export interface SoftActor {
  /** Dimensions of a continuous action. */
  readonly size: number;
  readonly policy: ActingPolicy;
  init(key: Tensor): Tree;
  /** Samples actions in states. Differentiable. */
  sample(weights: Tree, input: ActorInput): SampledActions;
  /** Recorded actions, as critics see them. */
  taken(action: Tensor): Taken;
}

/** States, and the entropy temperature. */
export interface ActorInput {
  readonly observation: Tree;
  readonly mask?: Tree;
  /** Entropy temperature. */
  readonly alpha: Tensor;
  readonly key: Tensor;
  /** Key of random layers, in training. */
  readonly learn?: Tensor;
}

/** Actions sampled by an actor. */
export interface SampledActions {
  /** Continuous actions between -1 and 1; absent where critics evaluate all choices. */
  readonly action?: Tensor;
  readonly entropy: Tensor;
  /** The soft value of the states, q − α log π(a|s) in expectation, [rows, …], from the critics' values of the actions. */
  softValue(q: Tensor): Tensor;
}

/** Recorded actions, as critics see them. */
export interface Taken {
  /** Continuous actions between -1 and 1; absent where critics evaluate all choices. */
  readonly action?: Tensor;
  /** The values of the taken actions among all outputs of the critics. */
  of(values: Tensor): Tensor;
}
