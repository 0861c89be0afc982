import { type Scalar, valueOf } from "@reins/core/settings";
import { add, logSigmoid, mul, neg } from "@reins/tensor";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type PairLoss, pairTerm } from "./pairs.ts";

/** Classification of each completion against noise: the absolute reward of the chosen one rises too. */
export const ncaLoss =
  (beta: Scalar): PairLoss =>
  ({ chosen, rejected }) => {
    const [better, worse] = [chosen, rejected].map((c) => mul(c.logRatio, valueOf(beta)));
    const noise = mul(add(logSigmoid(neg(better)), logSigmoid(neg(worse))), 0.5);
    return neg(add(logSigmoid(better), noise));
  };

/** Noise contrastive alignment. */
export const nca = preferenceMethod({
  name: "nca",
  summary: "Contrasts completions with noise: keeps the likelihood of chosen completions from falling.",
  paper: "Noise Contrastive Alignment of Language Models with Explicit Rewards (Chen et al., 2024)",
  options: { beta: beta(0.1), precompute },
  // −log σ(r⁺) − ½ log σ(−r⁺) − ½ log σ(−r⁻), with r = β log π/π₀
  method: (o) => ({ loss: pairTerm(ncaLoss(o.beta)) }),
});
