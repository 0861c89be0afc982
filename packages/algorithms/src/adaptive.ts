import * as signals from "@reins/core/signals";
import { dqn } from "./dqn.ts";
import { ppo } from "./ppo.ts";

const { average, bandit, dual, multiplicative, pi, quantile } = signals;

/**
 * PPO whose settings follow its metrics: the learning rate tracks a KL divergence per update, the entropy weight
 * is a Lagrange multiplier for a minimum entropy, and the gradient norm is clipped at a multiple of its running
 * mean.
 *
 * @experimental
 */
export const adaptivePpo = ppo.with("ppo-adaptive", {
  stability: "experimental",
  learnsFrom: "steps",
  summary: "PPO whose learning rate, entropy weight and gradient clip are set by controllers.",
  options: {
    learningRate: pi({
      of: "policy/kl",
      target: 0.01,
      initial: 1e-3,
      gain: 0.2,
      integral: 0.1,
      log: true,
      min: 1e-5,
      max: 1e-2,
    }),
    entropyWeight: dual({
      of: "policy/entropy",
      limit: 0.2,
      initial: 0.01,
      rate: 0.01,
      direction: -1,
      max: 0.05,
    }),
    clipNorm: average({ of: "gradient/norm", initial: 0.5, decay: 0.9, scale: 1.5, min: 0.05, max: 10 }),
  },
});

/**
 * PPO with a KL penalty whose coefficient doubles or halves to meet a target KL: the second variant of Schulman et
 * al. (2017).
 *
 * @experimental
 */
export const penaltyPpo = ppo.with("ppo-penalty", {
  stability: "experimental",
  learnsFrom: "steps",
  summary: "PPO with an adaptive KL penalty in addition to clipping.",
  options: {
    clip: 0.5,
    klWeight: multiplicative({
      of: "policy/kl",
      target: 0.01,
      initial: 1,
      factor: 2,
      tolerance: 1.5,
      direction: 1,
      min: 1e-3,
      max: 100,
    }),
  },
});

/**
 * DQN whose exploration is chosen by a bandit and whose gradients are clipped at a quantile of recent norms
 * (Seetharaman et al., 2020).
 *
 * @experimental
 */
export const adaptiveDqn = dqn.with("dqn-adaptive", {
  stability: "experimental",
  summary: "DQN that chooses its exploration by a bandit and clips gradients at a quantile of their norms.",
  options: {
    epsilon: bandit({
      of: "return/mean",
      choices: [0.3, 0.1, 0.03, 0.01],
      hold: 8,
      window: 24,
      exploration: 0.5,
      reward: "progress",
    }),
    clipNorm: quantile({ of: "gradient/norm", q: 0.5, initial: 1, rate: 0.05, min: 0.01, max: 100 }),
  },
});
