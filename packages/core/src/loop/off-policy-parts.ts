import type { Tensor, Tree } from "@reins/tensor";
import type { Policy } from "../policy.ts";
import type { MemoryMaker } from "../replay/replay.ts";
import type { Live } from "../signals/live.ts";
import type { Columns } from "../target.ts";

/** What one update gives back. */
export interface Improved<S extends Tree = Tree> {
  readonly state: S;
  readonly metrics: { readonly [name: string]: Tensor };
  /** How wrong each entry's estimate was, for replays that choose by it. */
  readonly errors?: Tensor;
}

/** What learns from minibatches: weights, target weights, optimisers, in one tree that an update maps to the next. Pure and traced. */
export interface OffPolicyLearner<S extends Tree = Tree> {
  init(key: Tensor): S;
  /** `weight` is how much each entry counts, where they were not drawn uniformly. */
  update(state: S, batch: Columns, weight: Tensor | undefined, key: Tensor): Improved<S>;
  /** The part of the tree that the policy acts with. */
  acting(state: S): Tree;
}

/** The parts of an off-policy method. */
export interface OffPolicyParts<S extends Tree = Tree> {
  readonly name: string;
  /** Acts with exploration when it has a key, without when not. */
  readonly policy: Policy;
  readonly learner: OffPolicyLearner<S>;
  readonly replay: MemoryMaker;
  /** Entries in a minibatch. */
  readonly batch: number;
  /** Rows: environments played at once. */
  readonly envs: number;
  /** Steps of each environment between updates. */
  readonly trainEvery: number;
  /** Updates at a time; a fraction makes one now and then. */
  readonly updates: number | Live;
  /** Environment steps with random actions before the first update. */
  readonly learningStarts: number;
  /** Environment steps in a round, about: settings move and metrics are noted once a round. */
  readonly round?: number;
}
