import { type Scalar, valueOf } from "@reins/core/settings";
import { add, div, square, sub } from "@reins/tensor";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type PairLoss, pairTerm } from "./pairs.ts";

/** Log-probability ratios are regressed to ±1 / (2β): chosen completions win always, rejected ones never. */
export const sppoLoss =
  (beta: Scalar): PairLoss =>
  ({ chosen, rejected }) => {
    const target = div(0.5, valueOf(beta));
    return add(square(sub(chosen.logRatio, target)), square(add(rejected.logRatio, target)));
  };

/** Self-play preference optimisation with hard labels, on recorded pairs. */
export const sppo = preferenceMethod({
  name: "sppo",
  summary: "Regresses the log-probability ratio of each completion to its win rate against the other.",
  paper: "Self-Play Preference Optimization for Language Model Alignment (Wu et al., 2024)",
  options: { beta: beta(0.1), precompute },
  // (log π(y⁺)/π₀(y⁺) − 1/(2β))² + (log π(y⁻)/π₀(y⁻) + 1/(2β))²
  method: (o) => ({ loss: pairTerm(sppoLoss(o.beta)) }),
});
