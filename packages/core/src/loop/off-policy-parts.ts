import type { Tree } from "@reins/tensor";
import type { Learner } from "../learner.ts";
import type { Acting } from "../policy.ts";
import type { ReplayMaker } from "../replay/replay.ts";
import type { Live } from "../signals/live.ts";

/** The parts of an off-policy method. */
export interface OffPolicyParts<S extends Tree = Tree> {
  readonly name: string;
  /** Acts with exploration when it has a key, without when not. */
  readonly policy: Acting;
  readonly learner: Learner<S>;
  readonly replay: ReplayMaker;
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
