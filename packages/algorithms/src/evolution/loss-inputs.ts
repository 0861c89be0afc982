import type { Tensor } from "@reins/tensor";

/** What a graph is computed from. `discount` is 0 where the problem ended. */
export interface LossInputs {
  /** Values of all actions, [rows, actions]. */
  q(weights: "online" | "target", state: "state" | "next"): Tensor;
  /** i32 [rows], from 0. */
  readonly action: Tensor;
  readonly reward: Tensor;
  readonly discount: Tensor;
}
