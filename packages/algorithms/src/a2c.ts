import { define } from "@reins/core";
import { type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import * as rows from "./options.ts";
import { imitating } from "./self-imitation.ts";

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
    learningRate: rows.learningRate(7e-4, "1e-4 to 2e-3"),
    ...rows.advantages(1, "GAE lambda: 0 relies on the critic, 1 on the rewards of the batch (0.9 to 1)."),
    ...rows.actorCriticLoss,
    ...rows.shortBatch({ envs: "4 to 256", steps: 5, range: "5 to 64" }),
    ...rows.actorCriticNetwork,
    values: rows.values,
    normalise: rows.normalise("none"),
    ...rows.selfImitationRows,
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
