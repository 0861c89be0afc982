import type { Tree } from "@reins/tensor";
import type { Problem } from "../tasks/text-task.ts";
import type { Frozen } from "./frozen-weights.ts";
import type { ConversationRollout } from "./speaker.ts";

/** Options of a rollout. */
export interface RolloutOptions {
  readonly seed: number;
  /** Greedy decoding instead of sampling. */
  readonly greedy?: boolean;
}

/** Runs conversations about problems with a model, many at a time. */
export interface Harness {
  /** One conversation, or several with a common prefix where the stage forks them. */
  rollout(problem: Problem, how: RolloutOptions): Promise<readonly ConversationRollout[]>;
  /** Switches to other weights. */
  use(weights: Tree): void;
  /** Drops the prefix cache: new rollouts share nothing with earlier ones. */
  forget(): void;
}

/** The weights that a harness generates with. */
export interface ServedWeights {
  readonly weights: Tree;
  readonly version?: () => number;
  /** Records kept sets, for training. */
  readonly record?: boolean;
  /** Weights of roles that do not learn (default: the initial weights). */
  readonly frozen?: Frozen;
}
