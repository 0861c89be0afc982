import type { Saved } from "@reins/core";
import type { Tree } from "@reins/tensor";

/**
 * How new what a step led to is. It reads the columns of the environment that it was made for, after each reset and each step, and learns
 * from what it reads.
 */
export interface Novelty extends Saved {
  /** After a reset. With a seed all that was learned is forgotten, and chance begins from that seed. */
  begun(seed: number | undefined): void;
  /** After a step with this action: writes a number for each row, larger where the state reached is newer. */
  took(action: Tree, into: Float32Array): void;
}
