import type { LossTerm } from "@reins/core";
import * as losses from "@reins/core/losses";
import * as t from "@reins/tensor";

/** Settings of {@link entropyByCovariance}. */
export interface CovarianceOptions {
  /** Sum of the coefficients of an answer's tokens. */
  readonly alpha: number;
  /** Largest coefficient of a token. */
  readonly most: number;
  /** Whether the sum is divided by covariance, or equally. */
  readonly adaptive: boolean;
}

/**
 * Coefficients of the entropy of each token: a softmax, over the tokens of an answer, of the centred advantage times the centred
 * log-probability. Tokens with a high value are those whose update lowers the entropy most.
 */
export function coefficients(
  { advantage, logProb, alive }: { advantage: t.Tensor; logProb: t.Tensor; alive: t.Tensor },
  { alpha, most, adaptive }: CovarianceOptions,
): t.Tensor {
  const counts = t.where(alive, 1, 0);
  const count = t.maximum(t.sum(counts), 1);
  const centred = (x: t.Tensor) => t.sub(x, t.div(t.sum(t.mul(x, counts)), count));
  const covariance = t.mul(centred(advantage), centred(logProb));
  const shares = t.softmax(t.where(alive, adaptive ? covariance : t.mul(covariance, 0), -1e9), 0);
  return t.mul(t.minimum(t.mul(shares, alpha), most), counts);
}

/** An entropy bonus with these coefficients. */
export const entropyByCovariance = (options: CovarianceOptions): LossTerm => ({
  value({ scored, columns }) {
    const [advantage, alive] = [columns.advantage as t.Tensor, columns.alive as t.Tensor];
    const logProb = t.stopGradient(scored.logProb);
    return t.neg(t.mul(coefficients({ advantage, logProb, alive }, options), scored.entropy));
  },
});

/** The clipped loss with the bonus. */
export const teaRl = (clip: number, options: CovarianceOptions): LossTerm =>
  losses.sum(losses.policyGradient({ ratio: losses.clipped(clip), clip }), entropyByCovariance(options));
