import { td3 } from "./td3.ts";

/**
 * Deep deterministic policy gradient (Lillicrap et al., 2016): TD3 without its three improvements. The noise is
 * correlated like the paper's Ornstein-Uhlenbeck process (θ = 0.15, σ = 0.2: correlation 0.85, standard deviation
 * σ / √(2θ - θ²)). Learning rates and batches are TD3's, and there is no weight decay.
 */
export const ddpg = td3.with("ddpg", {
  summary:
    "Deterministic actor trained against one critic, with correlated exploration noise: the method that TD3 improves on, and simple to extend.",
  paper: "Continuous control with deep reinforcement learning (Lillicrap et al., 2016)",
  options: { critics: 1, smoothing: 0, policyEvery: 1, noise: 0.38, correlation: 0.85 },
});
