import type { Saved } from "@reins/core";
import type { Tree } from "@reins/tensor";

/**
 * Novelty of the state that a step reached. It reads the columns of the environment that it was created for, after
 * each reset and each step, and learns from them.
 */
export interface Novelty extends Saved {
  /** After a reset. A seed resets everything learned, and the random generator. */
  begun(seed: number | undefined): void;
  /** After a step with this action: writes a number per row, larger for more novel states. */
  took(action: Tree, into: Float32Array): void;
}
