import { define, type LossTerm, setting, size } from "@reins/core";
import { type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as signals from "@reins/core/signals";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import * as rows from "./options.ts";
import { valuePolicy } from "./q/value-policy.ts";

const error = losses.valueError();

/** The loss of the taken action's value, with the mean value as a metric. */
const actionError: LossTerm = {
  value(material) {
    const { scored, report } = material;
    if (scored.value) report("value/mean", scored.value);
    return error.value(material);
  },
};

/**
 * Parallelised Q-network (Gallici et al., 2024): Q(λ) on fresh rollouts of many environments, with layer norms
 * instead of a target network and a replay buffer.
 */
export const pqn = define({
  name: "pqn",
  summary: "Q-learning on fresh rollouts of many environments, without replay buffer or target network.",
  paper: "Simplifying Deep Temporal Difference Learning (Gallici et al., 2024)",
  options: {
    learningRate: setting(5e-4, "Learning rate. Higher learns faster until it diverges (5e-5 to 2e-3).", {
      within: "nonnegative",
    }),
    gamma: setting(0.99, "Discount factor. Higher looks further ahead, with more variance (0.9 to 0.999).", {
      per: "token",
      within: "share",
    }),
    lambda: setting(
      0.65,
      "Q(λ): 0 bootstraps after one step, 1 relies on the rewards of the batch, exploration included (0.5 to 0.95).",
      { per: "token", within: "share" },
    ),
    epsilon: rows.epsilon(signals.linear(1, 0.05, 0.2)),
    clipNorm: setting(10, "Maximum gradient norm. Lower is steadier and slower (0.5 to 10).", {
      within: "positive",
    }),
    envs: size(32, "Parallel environments. More gives more varied batches (8 to 4096).", {
      within: "count",
    }),
    steps: size(
      32,
      "Steps of each environment between updates. More gives longer returns, fewer updates (8 to 128).",
      { within: "count" },
    ),
    epochs: size(2, "Epochs over each batch. More learns more from it, until it overfits (1 to 8).", {
      within: "count",
    }),
    minibatches: size(8, "Minibatches per epoch. More gives more, noisier updates (1 to 64).", {
      within: "count",
    }),
    hidden: rows.hidden([128, 128], "Widths of the hidden layers, each with a layer norm."),
    ...rows.body,
  },
  actions: ["discrete"],
  parts: (o, { spec }, name): OnPolicyParts => ({
    name,
    policy: valuePolicy(spec, o),
    target: targets.tdLambda({ gamma: o.gamma, lambda: o.lambda }),
    loss: actionError,
    optimiser: nn.rAdam(),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    envs: o.envs,
    steps: o.steps,
    epochs: o.epochs,
    minibatches: o.minibatches,
    normalise: "none",
  }),
  begin: onPolicy,
});
