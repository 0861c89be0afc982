import { define, setting, signals } from "@reins/core";
import { dqn } from "./dqn.ts";
import { ppo } from "./ppo.ts";

const { average, bandit, dual, multiplicative, pi, quantile } = signals;

/**
 * PPO whose settings follow what it measures: the step size holds a divergence per update, the entropy weight is a Lagrange multiplier
 * for a lowest entropy, and gradients are cut at a multiple of their usual length.
 */
export const adaptivePpo = define({
  ...ppo.definition,
  name: "ppo-adaptive",
  summary: "PPO that sets its own step size, entropy weight and gradient clip by controllers.",
  options: {
    ...ppo.definition.options,
    learningRate: setting(
      pi({
        of: "policy/kl",
        target: 0.01,
        initial: 1e-3,
        gain: 0.2,
        integral: 0.1,
        log: true,
        min: 1e-5,
        max: 1e-2,
      }),
      "Size of a step: by default a proportional-integral controller that holds policy/kl at 0.01.",
    ),
    entropyWeight: setting(
      dual({ of: "policy/entropy", limit: 0.2, initial: 0.01, rate: 0.01, direction: -1, max: 0.05 }),
      "Reward for staying random: by default it rises while policy/entropy is below 0.2 (dual ascent).",
      { per: "token" },
    ),
    clipNorm: setting(
      average({ of: "gradient/norm", initial: 0.5, decay: 0.9, scale: 1.5, min: 0.05, max: 10 }),
      "Longest gradient: by default 1.5 times the usual one.",
    ),
  },
});

/** PPO with a penalty on divergence that doubles or halves to hold its target: the second form of Schulman et al. (2017). */
export const penaltyPpo = define({
  ...ppo.definition,
  name: "ppo-penalty",
  summary: "PPO with an adaptive penalty on divergence instead of relying on clipping alone.",
  options: {
    ...ppo.definition.options,
    clip: setting(0.5, ppo.definition.options.clip.about, { per: "token" }),
    klWeight: setting(
      multiplicative({
        of: "policy/kl",
        target: 0.01,
        initial: 1,
        factor: 2,
        tolerance: 1.5,
        direction: 1,
        min: 1e-3,
        max: 100,
      }),
      "Penalty for moving: by default doubled or halved when policy/kl leaves 0.0067 to 0.015.",
      { per: "token" },
    ),
  },
});

/** DQN whose exploration is chosen by a bandit, and whose gradients are cut at a quantile of their lengths (Seetharaman et al., 2020). */
export const adaptiveDqn = define({
  ...dqn.definition,
  name: "dqn-adaptive",
  summary: "DQN that chooses its exploration by a bandit and cuts gradients at a quantile of their lengths.",
  options: {
    ...dqn.definition.options,
    epsilon: setting(
      bandit({
        of: "return/mean",
        choices: [0.3, 0.1, 0.03, 0.01],
        hold: 8,
        window: 24,
        exploration: 0.5,
        reward: "progress",
      }),
      "Share of random actions: by default whichever of 0.3, 0.1, 0.03 and 0.01 has raised the return most of late.",
    ),
    clipNorm: setting(
      quantile({ of: "gradient/norm", q: 0.5, initial: 1, rate: 0.05, min: 0.01, max: 100 }),
      "Longest gradient: by default the median of their lengths.",
    ),
  },
});
