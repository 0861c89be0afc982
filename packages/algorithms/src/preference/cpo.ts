import { setting } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { add, div, exp, minimum, mul, relu, square, sub, type Tensor } from "@reins/tensor";
import { perToken } from "./completions.ts";
import { logistic } from "./dpo.ts";
import { preferenceMethod } from "./method.ts";
import { beta, marginLoss, smoothing } from "./options.ts";
import { chosenLikelihood, type ImplicitReward, type PairLoss, pairTerm } from "./pairs.ts";

/** The log-probability of a completion: an implicit reward without a reference. */
const logProb: ImplicitReward = (c) => c.logProb;

/** Losses of the difference of two rewards. */
const losses = {
  logistic: (gap: Tensor, beta: Scalar, smoothing: Scalar) => logistic(mul(gap, valueOf(beta)), smoothing),
  hinge: (gap: Tensor, beta: Scalar) => relu(sub(1, mul(gap, valueOf(beta)))),
  squared: (gap: Tensor, beta: Scalar) => square(sub(gap, div(0.5, valueOf(beta)))),
};

/** Contrasts log-probabilities without a reference. The squared loss, like IPO's, uses those per token. */
export const cpoLoss =
  (loss: keyof typeof losses, beta: Scalar, smoothing: Scalar = 0): PairLoss =>
  ({ chosen, rejected }) => {
    const reward = loss === "squared" ? perToken : logProb;
    return losses[loss](sub(reward(chosen), reward(rejected)), beta, smoothing);
  };

/** Per-token log-probabilities with a target margin. */
export const simpoLoss =
  (beta: Scalar, target: Scalar, smoothing: Scalar = 0, reward: ImplicitReward = perToken): PairLoss =>
  ({ chosen, rejected }) =>
    logistic(sub(mul(sub(reward(chosen), reward(rejected)), valueOf(beta)), valueOf(target)), smoothing);

/** (1 − p^−α) / α, where p is the geometric mean of the tokens' probabilities; log p as α goes to 0. */
export const alphaReward =
  (alpha: Scalar): ImplicitReward =>
  (c) => {
    const a = valueOf(alpha);
    return div(sub(1, exp(minimum(mul(mul(perToken(c), a), -1), 80))), a);
  };

/** A loss plus a weight times the supervised loss of the chosen completions. */
export const withLikelihood =
  (loss: PairLoss, weight: Scalar): PairLoss =>
  (pairs) =>
    add(pairs.mean(loss(pairs)), mul(chosenLikelihood(pairs), valueOf(weight)));

/** Contrastive preference optimisation: DPO with a uniform reference, and a supervised loss in its place. */
export const cpo = preferenceMethod({
  name: "cpo",
  summary: "Contrasts pairs without a reference model, and imitates chosen completions.",
  paper:
    "Contrastive Preference Optimization: Pushing the Boundaries of LLM Performance in Machine Translation (Xu et al., 2024)",
  options: {
    beta: beta(0.1),
    loss: marginLoss,
    smoothing,
    likelihood: setting(1, "Weight of the supervised loss. Higher imitates more and prefers less (0 to 2).", {
      within: "nonnegative",
    }),
  },
  // −log σ(β (log π(y⁺) − log π(y⁻))) − λ log π(y⁺) / |y⁺|
  method: (o) => ({
    loss: pairTerm(withLikelihood(cpoLoss(o.loss, o.beta, o.smoothing), o.likelihood), logProb),
    reference: false,
  }),
});

/** Simple preference optimisation. */
export const simpo = preferenceMethod({
  name: "simpo",
  summary: "Contrasts log-probabilities per token with a target margin: no reference model, no length bias.",
  paper: "SimPO: Simple Preference Optimization with a Reference-Free Reward (Meng et al., 2024)",
  options: {
    beta: beta(2, "1 to 10"),
    target: setting(1, "Target margin. Higher separates pairs further (0 to 5).", { within: "nonnegative" }),
    smoothing,
  },
  // −log σ(β (log π(y⁺)/|y⁺| − log π(y⁻)/|y⁻|) − γ)
  method: (o) => ({
    loss: pairTerm(simpoLoss(o.beta, o.target, o.smoothing), perToken),
    reference: false,
  }),
});

/** SimPO with another shape of the reward. */
export const alphapo = preferenceMethod({
  name: "alphapo",
  summary: "SimPO with a reward shape: a second parameter controls how far likelihoods are pushed.",
  paper: "AlphaPO: Reward Shape Matters for LLM Alignment (Gupta et al., 2025)",
  options: {
    beta: beta(2, "1 to 10"),
    target: setting(0.5, "Target margin. Higher separates pairs further (0 to 5).", {
      within: "nonnegative",
    }),
    alpha: setting(
      0.25,
      "Shape of the reward; near 0 SimPO. Higher saturates sooner at likely completions (0.05 to 1).",
      {
        within: "positive",
      },
    ),
    smoothing,
  },
  // −log σ(β (r(y⁺) − r(y⁻)) − γ), with r = (1 − π^(−α/|y|)) / α
  method(o) {
    const reward = alphaReward(o.alpha);
    return { loss: pairTerm(simpoLoss(o.beta, o.target, o.smoothing, reward), reward), reference: false };
  },
});
