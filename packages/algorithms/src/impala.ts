import { choice, define, type LossTerm, setting, size } from "@reins/core";
import { type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import { exp, mul, neg, sub, type Tensor } from "@reins/tensor";
import { remembering } from "./memory-actor-critic.ts";
import * as rows from "./options.ts";

const { entropy, minus, sum, valueError, weighted } = losses;

/**
 * IMPALA's learner (Espeholt et al., 2018): an actor-critic whose targets correct for the behaviour policy. Its
 * remote actors are simulated by a lag in updates (`lag`) and several epochs over a batch (`epochs`): both make
 * the steps older than the weights that learn from them, as a queue does. Nothing runs in parallel.
 */
export const impala = define({
  name: "impala",
  summary: "Actor-critic with V-trace: learns from steps of slightly older weights.",
  paper:
    "IMPALA: Scalable Distributed Deep-RL with Importance Weighted Actor-Learner Architectures (Espeholt et al., 2018)",
  options: {
    learningRate: rows.learningRate(6e-4, "1e-4 to 5e-3"),
    ...rows.advantages(
      1,
      "V-trace lambda: 0 relies on the critic, 1 on the rewards of the batch (0.9 to 1).",
    ),
    clipRho: setting(
      1,
      "V-trace rho-bar: maximum importance ratio in a step's own TD error. Higher corrects more, with more variance (1 to 10).",
      { per: "token", within: "positive" },
    ),
    clipC: setting(
      1,
      "V-trace c-bar: maximum importance ratio of the trace. Higher propagates errors further (0.5 to 1).",
      {
        per: "token",
        within: "positive",
      },
    ),
    ...rows.actorCriticLoss,
    optimiser: choice<"rmsprop" | "adam">(
      "rmsprop",
      ["rmsprop", "adam"],
      "Optimiser: the paper's RMSProp, or Adam.",
    ),
    lag: size(1, "Updates between weight syncs to the actors. More simulates a longer queue (1 to 8).", {
      within: "count",
    }),
    ...rows.shortBatch({ envs: "8 to 4096", steps: 20, range: "20 to 100" }),
    epochs: size(
      1,
      "Epochs over each batch, each with new targets. More learns more from it, with older steps (1 to 4).",
      { within: "count" },
    ),
    minibatches: size(1, "Minibatches per epoch. More gives more, noisier updates (1 to 8).", {
      within: "count",
    }),
    ...rows.actorCriticNetwork,
    ...rows.memory,
    values: rows.values,
    normalise: rows.normalise("none"),
  },
  parts: (o, context, name): OnPolicyParts => ({
    name,
    policy: remembering(context.spec, o),
    rescore: true,
    target: (seen) => targets.vTrace(o)({ ...seen, ratio: seen.ratio as Tensor }),
    loss: sum(corrected, weighted(o.valueWeight, valueError()), minus(o.entropyWeight, entropy())),
    optimiser:
      o.optimiser === "adam" ? nn.adam({ epsilon: 1e-5 }) : nn.rmsProp({ alpha: 0.99, epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    envs: o.envs,
    steps: o.steps,
    epochs: o.epochs,
    minibatches: o.minibatches,
    normalise: o.normalise,
    publishEvery: o.lag,
  }),
  begin: onPolicy,
});

/** The policy gradient of V-trace: its advantages include the clipped ratio, so the loss needs none. */
const corrected: LossTerm = {
  needs: { likelihood: "exact", for: "V-trace" },
  corrects: true,
  value({ scored, columns, report }) {
    const difference = sub(scored.logProb, columns.logProb as Tensor);
    const ratio = exp(difference);
    report("policy/entropy", scored.entropy);
    report("policy/kl", sub(sub(ratio, 1), difference));
    report("policy/ratio", ratio);
    const loss = neg(mul(scored.logProb, columns.advantage as Tensor));
    report("loss/policy", loss);
    return loss;
  },
};
