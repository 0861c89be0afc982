import { choice, setting } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { add, logSigmoid, mul, neg, sub, type Tensor } from "@reins/tensor";
import { divergences, implicitReward } from "./divergences.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute, smoothing } from "./options.ts";
import { type ImplicitReward, logRatio, logRatioPerToken, type PairLoss, pairTerm } from "./pairs.ts";

/** −(1 − ε) log σ(x) − ε log σ(−x): the logistic loss of a margin with label smoothing ε. */
export function logistic(margin: Tensor, smoothing: Scalar = 0): Tensor {
  const swapped = valueOf(smoothing);
  return neg(add(mul(logSigmoid(margin), sub(1, swapped)), mul(logSigmoid(neg(margin)), swapped)));
}

/** β times the difference of the implicit rewards of a pair. */
export const margin =
  (beta: Scalar, reward: ImplicitReward = logRatio): PairLoss =>
  ({ chosen, rejected }) =>
    mul(sub(reward(chosen), reward(rejected)), valueOf(beta));

/** The logistic loss of the margin. */
export const dpoLoss =
  (beta: Scalar, smoothing: Scalar = 0, reward: ImplicitReward = logRatio): PairLoss =>
  (pairs) =>
    logistic(margin(beta, reward)(pairs), smoothing);

/**
 * Direct Preference Optimization: the optimal policy of a KL-regularised reward has the reward β log π/π₀ up to a
 * constant per prompt, so a Bradley-Terry model of preferences is fitted with the policy itself. Other f-divergences
 * give other implicit rewards (Wang et al., 2023).
 */
export const dpo = preferenceMethod({
  name: "dpo",
  summary:
    "Direct preference optimisation: fits preferences between pairs of completions, without a reward model.",
  paper:
    "Direct Preference Optimization: Your Language Model is Secretly a Reward Model (Rafailov et al., 2023)",
  options: {
    beta: beta(0.1),
    divergence: choice(
      "reverse-kl",
      divergences,
      "Divergence from the reference policy that regularises. The forward KL keeps more of its completions.",
    ),
    alpha: setting(0.5, "Order of the α-divergence: near 0 the reverse KL, at 1 the forward KL (0.1 to 1).", {
      within: "positive",
    }),
    smoothing,
    precompute,
  },
  // −log σ(β (log π(y⁺)/π₀(y⁺) − log π(y⁻)/π₀(y⁻)))
  method(o) {
    const reward = implicitReward(o.divergence, o.alpha);
    return { loss: pairTerm(dpoLoss(o.beta, o.smoothing, reward), reward) };
  },
});

/** DPO on log-probability ratios per token, so that long completions do not have larger rewards. */
export const normalisedDpo = preferenceMethod({
  name: "normalised-dpo",
  summary: "DPO with log-probability ratios per token: the length of a completion does not scale its reward.",
  paper: "Tulu 3: Pushing Frontiers in Open Language Model Post-Training (Lambert et al., 2024)",
  options: { beta: beta(2, "0.5 to 10"), smoothing, precompute },
  // −log σ(β (log π(y⁺)/π₀(y⁺) / |y⁺| − log π(y⁻)/π₀(y⁻) / |y⁻|))
  method: (o) => ({ loss: pairTerm(dpoLoss(o.beta, o.smoothing, logRatioPerToken), logRatioPerToken) }),
});
