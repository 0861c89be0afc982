import { dqn } from "./dqn.ts";

/** IQN (Dabney et al., 2018): DQN with a network that is asked for the return's quantile at any fraction. */
export const iqn = dqn.with("iqn", {
  summary:
    "DQN whose network knows the return's quantile at every fraction, learned at fractions drawn anew.",
  paper: "Implicit Quantile Networks for Distributional Reinforcement Learning (Dabney et al., 2018)",
  options: { distribution: "implicit", double: false, adamEpsilon: 0.01 / 32 },
});
