import { type Scalar, valueOf } from "@reins/core/settings";
import { add, logSigmoid, mul, neg, sub, type Tensor } from "@reins/tensor";
import { asTokenMean } from "./completions.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { type PairLoss, pairTerm } from "./pairs.ts";
import { meanWith, runningMean } from "./running-mean.ts";

const meanReward = "preference/reward";

/** Classifies completions as chosen or rejected by their reward, shifted by its mean; `shift` maps this batch's mean to it. */
export const bcoLoss =
  (beta: Scalar, shift: (batch: Tensor) => Tensor): PairLoss =>
  ({ chosen, rejected, mean, input }) => {
    const [better, worse] = [chosen, rejected].map((c) => mul(c.logRatio, valueOf(beta)));
    const batch = mul(mean(add(better, worse)), 0.5);
    input.report(meanReward, asTokenMean(batch, input));
    const middle = shift(batch);
    return neg(add(logSigmoid(sub(better, middle)), logSigmoid(sub(middle, worse))));
  };

/** Binary classifier optimisation. The reward shift is the mean over all batches so far. */
export const bco = preferenceMethod({
  name: "bco",
  summary:
    "Classifies each completion as chosen or rejected by its implicit reward, shifted by the mean reward.",
  paper: "Binary Classifier Optimization for Large Language Model Alignment (Jung et al., 2024)",
  options: { beta: beta(0.1), precompute },
  // −log σ(r⁺ − δ) − log σ(δ − r⁻), with r = β log π/π₀ and δ the mean of r
  method(o) {
    const running = runningMean(meanReward);
    const loss = bcoLoss(o.beta, (batch) => meanWith(running, batch));
    return { loss: pairTerm(loss), wholeBatch: true, running };
  },
});
