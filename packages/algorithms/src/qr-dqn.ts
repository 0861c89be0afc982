import { dqn } from "./dqn.ts";

/** QR-DQN (Dabney et al., 2018): DQN that learns quantiles of the return, without a fixed range. */
export const qrDqn = dqn.with("qr-dqn", {
  summary: "DQN that learns quantiles of the return: a distribution without a fixed range.",
  paper: "Distributional Reinforcement Learning with Quantile Regression (Dabney et al., 2018)",
  options: { distribution: "quantile", double: false, adamEpsilon: 0.01 / 32 },
});
