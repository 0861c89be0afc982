import { oneHot, type Tensor, type Tree } from "@reins/tensor";
import { bestAllowed } from "./greedy.ts";

/** What a target of Q-learning is made of, beside reward and discount. */
export interface Outlook {
  /** The target network's numbers for all actions of the next state, [rows, actions, …]: what is learned from. */
  readonly goals: Tensor;
  /** Expected returns of all actions, [rows, actions], by either network, of the state acted in or of the next. */
  value(by: "online" | "target", of: "state" | "next"): Tensor;
  /** What was done, i32 [rows], from 0. */
  readonly action: Tensor;
  /** bool: what was allowed, and what is in the next state. */
  readonly mask?: Tree;
  readonly nextMask?: Tree;
}

/** Turns an outlook into the next state's numbers, [rows, …], and what is added to the reward, where something is. */
export type QBootstrap = (outlook: Outlook) => { readonly next: Tensor; readonly bonus?: Tensor };

/** The best action's numbers. With `double` the online network says which is best and the target network what it is worth (van Hasselt et al., 2016). */
export const bestNext =
  (double: boolean): QBootstrap =>
  ({ goals, value, nextMask }) => ({
    next: ofAction(goals, bestAllowed(value(double ? "online" : "target", "next"), nextMask)),
  });

/** The numbers of one action of each row: [rows, actions, …] to [rows, …]. */
export function ofAction(outputs: Tensor, action: Tensor): Tensor {
  const chosen = oneHot(action, outputs.shape[1]);
  return outputs.mul(outputs.rank === 2 ? chosen : chosen.reshape([...chosen.shape, 1])).sum(1);
}
