import { define, setting, size } from "@reins/core";
import { learnFrom, type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import { trustRegionStep } from "./natural/trust-region.ts";
import * as rows from "./options.ts";

const options = {
  maxKl: setting(
    0.01,
    "Maximum KL divergence per batch, averaged over its states. Higher learns faster and less safely (0.003 to 0.05).",
    { within: "positive" },
  ),
  damping: setting(
    0.1,
    "Damping added to the Fisher matrix. Higher is steadier with little data, and moves less (0.01 to 0.3).",
    { within: "nonnegative" },
  ),
  cgSteps: size(
    10,
    "Conjugate gradient iterations. More approximates the natural gradient better (5 to 20).",
    {
      within: "count",
    },
  ),
  backtracks: size(10, "Line search attempts, each 0.8 times as long as the previous one (5 to 20).", {
    within: "count",
  }),
  ...rows.advantages(0.97, "GAE lambda: 0 relies on the critic, 1 on the returns (0.9 to 1)."),
  learningRate: setting(
    1e-3,
    "Learning rate of the critic. Higher learns faster until it diverges (3e-4 to 3e-3).",
    { within: "nonnegative" },
  ),
  ...rows.batchOf(
    "Steps of each environment between updates. More gives a truer natural gradient, fewer updates (64 to 2048).",
  ),
  epochs: size(10, "Critic epochs over each batch. More fits it more closely (5 to 80).", {
    within: "count",
  }),
  minibatches: size(4, "Critic minibatches per epoch. More gives more, noisier updates (1 to 64).", {
    within: "count",
  }),
  ...rows.actor,
  normalise: rows.normalise("batch"),
};

/**
 * Trust Region Policy Optimization (Schulman et al., 2015): one natural-gradient step per batch, as long as a KL
 * limit allows. The critic is a separate network, fitted separately.
 */
export const trpo = define({
  name: "trpo",
  summary:
    "A natural-gradient step within a KL trust region: stable, without a learning rate for the policy.",
  paper: "Trust Region Policy Optimization (Schulman et al., 2015)",
  options,
  parts: (o, context, name): OnPolicyParts => ({
    name,
    policy: actorCritic(context.spec, { ...o, apart: true }),
    target: targets.gae({ gamma: o.gamma, lambda: o.lambda }),
    // Minibatches are for the critic only: the policy is updated before them.
    loss: losses.valueError(),
    learn(learning, batch) {
      // max E[ρ Â] subject to KL(π_old, π) ≤ δ, and then the critic.
      const actor = trustRegionStep(o, batch.policy, batch.learned, batch.columns);
      const critic = learnFrom(learning, { ...batch, learned: actor.state });
      return { ...critic, metrics: { ...critic.metrics, ...actor.metrics } };
    },
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    envs: o.envs,
    steps: o.steps,
    epochs: o.epochs,
    minibatches: o.minibatches,
    normalise: "none",
    // The critic's sums are fused differently there.
    batchable: false,
  }),
  begin: onPolicy,
});
