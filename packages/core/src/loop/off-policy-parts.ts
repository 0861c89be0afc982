import type { Tree } from "@reins/tensor";
import type { Learner } from "../learner.ts";
import type { ActingPolicy } from "../policy.ts";
import type { ReplayBufferMaker } from "../replay/replay.ts";
import type { LiveValue } from "../signals/live.ts";

/** The parts of an off-policy method. */
export interface OffPolicyParts<S extends Tree = Tree> {
  readonly name: string;
  /** Explores if it is given a key, acts greedily without one. */
  readonly policy: ActingPolicy;
  readonly learner: Learner<S>;
  readonly replay: ReplayBufferMaker;
  /** Minibatch size. */
  readonly batch: number;
  /** Number of parallel environments. */
  readonly envs: number;
  /** Steps of each environment between updates. */
  readonly trainEvery: number;
  /** Updates per training step; a fraction means one every few steps. */
  readonly updates: number | LiveValue;
  /** Environment steps with random actions before the first update. */
  readonly learningStarts: number;
  /** Approximate environment steps per round: settings are updated and metrics are recorded once per round. */
  readonly round?: number;
}
