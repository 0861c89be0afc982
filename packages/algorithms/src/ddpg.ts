import { td3 } from "./td3.ts";

/**
 * Deep deterministic policy gradient (Lillicrap et al., 2016): TD3 without the three repairs that gave it its name. Its noise wanders as
 * the paper's Ornstein-Uhlenbeck process does (θ = 0.15, σ = 0.2: a share of 0.85 is kept, the spread is σ / √(2θ - θ²)). Step sizes and
 * batches are TD3's, and weights do not decay.
 */
export const ddpg = td3.with("ddpg", {
  summary:
    "Deterministic actor climbing one critic, with noise that wanders: the plain method that TD3 repairs, and simple to build on.",
  paper: "Continuous control with deep reinforcement learning (Lillicrap et al., 2016)",
  options: { critics: 1, smoothing: 0, policyEvery: 1, noise: 0.38, correlation: 0.85 },
});
