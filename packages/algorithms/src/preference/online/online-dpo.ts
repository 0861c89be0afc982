import { dpoLoss } from "../dpo.ts";
import { ipoLoss } from "../ipo.ts";
import { beta, marginLoss, smoothing } from "../options.ts";
import { logRatio, type PairLoss, pairTerm } from "../pairs.ts";
import { hingeLoss } from "../slic.ts";
import { onlinePreferenceMethod } from "./method.ts";

/** DPO on the policy's own completions. With the squared loss it is online IPO, whose fixed point is a Nash equilibrium (Calandriello et al., 2024). */
export const onlineDpo = onlinePreferenceMethod({
  name: "online-dpo",
  summary: "DPO on pairs of the policy's own completions, compared as they are sampled.",
  paper: "Direct Language Model Alignment from Online AI Feedback (Guo et al., 2024)",
  options: {
    beta: beta(0.1),
    loss: marginLoss,
    smoothing,
  },
  // −log σ(β (log π(y⁺)/π₀(y⁺) − log π(y⁻)/π₀(y⁻))),  y⁺, y⁻ ~ π
  method(o) {
    const losses: { readonly [name in typeof o.loss]: () => PairLoss } = {
      logistic: () => dpoLoss(o.beta, o.smoothing),
      hinge: () => hingeLoss(o.beta),
      squared: () => ipoLoss(o.beta, logRatio),
    };
    return { loss: pairTerm(losses[o.loss]()) };
  },
});
