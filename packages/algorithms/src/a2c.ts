import { choice, define, setting, size } from "@reins/core";
import { type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import * as rows from "./options.ts";
import { imitating, selfImitationRows } from "./self-imitation.ts";

const { entropy, minus, policyGradient, sum, valueError, weighted } = losses;

/**
 * Advantage actor-critic: one policy-gradient update per short batch (Mnih et al., 2016, without its asynchronous
 * threads).
 */
export const a2c = define({
  name: "a2c",
  summary: "Policy gradient with a critic and one update per batch: the simplest actor-critic.",
  paper: "Asynchronous Methods for Deep Reinforcement Learning (Mnih et al., 2016)",
  options: {
    learningRate: setting(7e-4, "Learning rate. Higher learns faster until it diverges (1e-4 to 2e-3).", {
      within: "nonnegative",
    }),
    gamma: setting(0.99, "Discount factor. Higher looks further ahead, with more variance (0.9 to 0.999).", {
      per: "token",
      within: "share",
    }),
    lambda: setting(1, "GAE lambda: 0 relies on the critic, 1 on the rewards of the batch (0.9 to 1).", {
      per: "token",
      within: "share",
    }),
    entropyWeight: setting(
      0.01,
      "Weight of the entropy bonus. Higher explores more and converges later (0 to 0.05).",
      { per: "token", within: "any" },
    ),
    valueWeight: setting(0.5, "Weight of the value loss (0.25 to 1).", {
      per: "token",
      within: "nonnegative",
    }),
    clipNorm: setting(0.5, "Maximum gradient norm. Lower is steadier and slower (0.3 to 1).", {
      within: "positive",
    }),
    envs: size(16, "Parallel environments. More makes gradients less noisy (4 to 256).", {
      within: "count",
    }),
    steps: size(
      5,
      "Steps of each environment between updates. More looks further ahead before bootstrapping (5 to 64).",
      { within: "count" },
    ),
    hidden: size<readonly number[]>([64, 64], "Widths of the hidden layers."),
    ...rows.activatedBody,
    shared: size(false, "Share one body between actor and critic."),
    continuous: choice<"normal" | "tanh" | "beta">(
      "normal",
      ["normal", "tanh", "beta"],
      "Distribution of continuous actions.",
    ),
    logStd: size(0, "Initial log standard deviation of continuous actions. Lower explores less (-2 to 0).", {
      within: "any",
    }),
    values: rows.values,
    normalise: choice<"batch" | "none">(
      "none",
      ["batch", "none"],
      "Scope of advantage normalisation (mean 0, standard deviation 1).",
    ),
    ...selfImitationRows,
  },
  parts: (o, context, name): OnPolicyParts => ({
    name,
    policy: actorCritic(context.spec, o),
    target: targets.gae({ gamma: o.gamma, lambda: o.lambda }),
    loss: sum(policyGradient(), weighted(o.valueWeight, valueError()), minus(o.entropyWeight, entropy())),
    // The paper's settings. The large epsilon keeps updates small where gradients are small.
    optimiser: nn.rmsProp({ alpha: 0.99, epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    envs: o.envs,
    steps: o.steps,
    epochs: 1,
    minibatches: 1,
    normalise: o.normalise,
    ...imitating(o, context),
  }),
  begin: onPolicy,
});
