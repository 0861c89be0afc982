import { dqn } from "./dqn.ts";

/** C51 (Bellemare et al., 2017): DQN that learns how likely each of 51 returns is. Optimiser and settings of exploration aside, the paper's. */
export const c51 = dqn.with("c51", {
  summary: "DQN that learns the probability of each of a row of returns: set `low` and `high` to hold them.",
  paper: "A Distributional Perspective on Reinforcement Learning (Bellemare et al., 2017)",
  options: { distribution: "categorical", double: false, adamEpsilon: 0.01 / 32 },
});
