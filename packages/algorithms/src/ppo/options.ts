import { choice, type ResolvedOptions, setting, size } from "@reins/core";
import * as rows from "../options.ts";

/** Options of PPO. */
export const ppoOptions = {
  learningRate: rows.learningRate(2.5e-4, "1e-5 to 1e-3"),
  clip: rows.clip,
  ...rows.advantages(0.95),
  ...rows.actorCriticLoss,
  klWeight: setting(
    0,
    "Weight of the KL penalty against the behaviour policy. Higher moves less; a controller of policy/kl adapts it (0 to 3).",
    { per: "token", within: "nonnegative" },
  ),
  maxKl: setting(
    Number.POSITIVE_INFINITY,
    "Target KL: stops the epochs of a batch once the policy has moved this far. Lower is steadier and slower (0.01 to 0.05).",
    { within: "positive" },
  ),
  klEvery: rows.klEvery,
  credit: choice<"token" | "turn">(
    "token",
    ["token", "turn"],
    "Conversations: whether values, advantages and discounts are per token or per turn.",
  ),
  ...rows.batchOf(),
  epochs: setting(4, "Epochs over each batch. More learns more from it and moves further (1 to 20).", {
    within: "count",
  }),
  minibatches: size(4, "Minibatches per epoch. More gives more, noisier updates (1 to 64).", {
    within: "count",
  }),
  clipValue: size(true, "Clip the value function's change to the clip range as well."),
  ...rows.actorCriticNetwork,
  noise: choice<"independent" | "state-dependent" | "correlated">(
    "independent",
    ["independent", "state-dependent", "correlated"],
    "How the noise of continuous actions is correlated over time.",
  ),
  noiseSteps: size(
    8,
    "State-dependent noise: steps between resampling. More explores more smoothly (4 to 64).",
    { within: "count" },
  ),
  noiseMemory: size(
    0.9,
    "Correlated noise: correlation between consecutive steps. Higher explores further (0 to 0.99).",
    { within: "share" },
  ),
  ...rows.memory,
  values: rows.values,
  ...rows.popArt,
  ...rows.streams,
  ...rows.selfImitationRows,
  normalise: rows.normaliseMinibatches,
};

/** PPO's live settings. */
export type PpoSettings = ResolvedOptions<typeof ppoOptions>;
