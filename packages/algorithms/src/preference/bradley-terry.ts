import { add, logSigmoid, mean, mul, neg, square, sub, type Tensor } from "@reins/tensor";

/** Settings of {@link bradleyTerryLoss}. */
export interface BradleyTerryOptions {
  /** By how much each chosen completion is better, [pairs]: differences of rewards below it are penalised. */
  readonly margin?: Tensor;
  /** Weight of the squared sum of the two rewards, which keeps rewards around 0 (0.001 to 0.1; default 0). */
  readonly centring?: number;
}

/**
 * The loss of a reward model on pairs, −log σ(r⁺ − r⁻): the negative log-likelihood of preferences under the model of
 * Bradley and Terry (1952). Rewards are [pairs].
 */
export function bradleyTerryLoss(
  chosen: Tensor,
  rejected: Tensor,
  { margin, centring = 0 }: BradleyTerryOptions = {},
): Tensor {
  const gap = sub(chosen, rejected);
  const loss = neg(logSigmoid(margin ? sub(gap, margin) : gap));
  return mean(centring ? add(loss, mul(square(add(chosen, rejected)), centring)) : loss);
}
