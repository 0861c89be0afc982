import type { Tensor } from "@reins/tensor";

/** Inputs of a loss graph. `discount` is 0 at terminal states. */
export interface LossInputs {
  /** Values of all actions, [rows, actions]. */
  q(weights: "online" | "target", state: "state" | "next"): Tensor;
  /** i32 [rows], from 0. */
  readonly action: Tensor;
  readonly reward: Tensor;
  readonly discount: Tensor;
}
