import { dqn } from "./dqn.ts";

/**
 * IQN (Dabney et al., 2018): DQN whose network estimates the return's quantile at any fraction.
 *
 * @experimental
 */
export const iqn = dqn.with("iqn", {
  stability: "experimental",
  summary: "DQN whose network estimates the return's quantile at any fraction, trained at sampled fractions.",
  paper: "Implicit Quantile Networks for Distributional Reinforcement Learning (Dabney et al., 2018)",
  options: { distribution: "implicit", double: false, adamEpsilon: 0.01 / 32 },
});
