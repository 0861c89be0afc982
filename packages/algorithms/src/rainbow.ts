import { dqn } from "./dqn.ts";

/**
 * Rainbow (Hessel et al., 2018): DQN with all improvements, and the paper's settings of optimiser and priorities.
 *
 * @experimental
 */
export const rainbow = dqn.with("rainbow", {
  stability: "experimental",
  summary: "DQN with double, dueling, noisy, distributional, n-step and prioritised learning combined.",
  paper: "Rainbow: Combining Improvements in Deep Reinforcement Learning (Hessel et al., 2018)",
  options: {
    epsilon: 0,
    nStep: 3,
    dueling: true,
    noisy: true,
    prioritised: true,
    alpha: 0.5,
    distribution: "categorical",
    adamEpsilon: 1.5e-4,
  },
});
