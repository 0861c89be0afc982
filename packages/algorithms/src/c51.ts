import { dqn } from "./dqn.ts";

/**
 * C51 (Bellemare et al., 2017): DQN that learns a categorical distribution over 51 returns. Settings are the
 * paper's, except for optimiser and exploration.
 */
export const c51 = dqn.with("c51", {
  summary:
    "DQN that learns a categorical distribution over fixed returns: set `low` and `high` so that they cover all returns.",
  paper: "A Distributional Perspective on Reinforcement Learning (Bellemare et al., 2017)",
  options: { distribution: "categorical", double: false, adamEpsilon: 0.01 / 32 },
});
