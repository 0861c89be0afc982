import { define, size } from "@reins/core";
import { type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import * as rows from "./options.ts";
import { auxiliaryPhase } from "./ppg/auxiliary-phase.ts";
import { auxiliaryRows } from "./ppg/options.ts";

const { clipped, entropy, minus, policyGradient, sum, valueError, weighted } = losses;

const options = {
  learningRate: rows.learningRate(5e-4, "1e-4 to 3e-3"),
  clip: rows.clip,
  ...rows.advantages(0.95),
  ...rows.actorCriticLoss,
  ...auxiliaryRows,
  ...rows.batchOf(),
  epochs: size(
    1,
    "Policy phase: epochs over each batch. More learns more from it and moves further (1 to 4).",
    {
      within: "count",
    },
  ),
  minibatches: size(4, "Policy phase: minibatches per epoch. More gives more, noisier updates (1 to 64).", {
    within: "count",
  }),
  ...rows.actor,
  normalise: rows.normaliseMinibatches,
};

/**
 * Phasic Policy Gradient (Cobbe et al., 2021): PPO rounds with separate networks, and an occasional auxiliary
 * phase in which the policy network learns to predict returns under a KL penalty that keeps the policy.
 */
export const ppg = define({
  name: "ppg",
  summary:
    "PPO with a separate critic, whose value function is distilled into the policy network in auxiliary phases.",
  paper: "Phasic Policy Gradient (Cobbe et al., 2021)",
  options,
  parts: (o, context, name): OnPolicyParts => ({
    name,
    policy: actorCritic(context.spec, { ...o, apart: true, auxiliary: true }),
    target: targets.gae({ gamma: o.gamma, lambda: o.lambda }),
    loss: sum(
      policyGradient({ ratio: clipped(o.clip), clip: o.clip }),
      weighted(o.valueWeight, valueError()),
      minus(o.entropyWeight, entropy()),
    ),
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    envs: o.envs,
    steps: o.steps,
    epochs: o.epochs,
    minibatches: o.minibatches,
    normalise: o.normalise,
    beside: (round) => auxiliaryPhase(o, round),
  }),
  begin: onPolicy,
});
