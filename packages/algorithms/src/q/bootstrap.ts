import { oneHot, type Tensor, type Tree } from "@reins/tensor";
import { bestAllowed } from "./greedy.ts";

/** Inputs of a Q-learning target, besides reward and discount. */
export interface BootstrapInputs {
  /** The target network's outputs for all actions of the next state, [rows, actions, …]. */
  readonly targets: Tensor;
  /** Expected returns of all actions, [rows, actions], from either network, for the current or the next state. */
  value(by: "online" | "target", of: "state" | "next"): Tensor;
  /** Actions taken, i32 [rows], from 0. */
  readonly action: Tensor;
  /** bool: action masks of the current and the next state. */
  readonly mask?: Tree;
  readonly nextMask?: Tree;
}

/** Computes the next state's outputs, [rows, …], and an optional bonus added to the reward. */
export type QBootstrap = (outlook: BootstrapInputs) => { readonly next: Tensor; readonly bonus?: Tensor };

/**
 * The outputs of the best action. With `double` the online network chooses it and the target network evaluates it
 * (van Hasselt et al., 2016).
 */
export const bestNext =
  (double: boolean): QBootstrap =>
  ({ targets, value, nextMask }) => ({
    next: ofAction(targets, bestAllowed(value(double ? "online" : "target", "next"), nextMask)),
  });

/** The outputs of one action per row: [rows, actions, …] to [rows, …]. */
export function ofAction(outputs: Tensor, action: Tensor): Tensor {
  const chosen = oneHot(action, outputs.shape[1]);
  return outputs.mul(outputs.rank === 2 ? chosen : chosen.reshape([...chosen.shape, 1])).sum(1);
}
