import { fail } from "@reins/core";
import { leastProbability, normalProbability, normalQuantile } from "@reins/core/evaluations";

/** Settings of {@link certifiedReturn}. */
export interface CertificateOptions {
  /** Standard deviation of the normal noise that the agent adds to each number of each observation. */
  readonly noise: number;
  /** Euclidean norm of all changes of an adversary to the observations of one episode together. */
  readonly budget: number;
  /** Returns whose probability is bounded, ascending and chosen before any episode is played. More are finer, but each is less certain. */
  readonly levels: readonly number[];
  /** The lowest possible return (0 by default). */
  readonly least?: number;
  /** Probability that the certificate holds (0.99 by default). */
  readonly confidence?: number;
}

/**
 * A lower bound of a smoothed policy's mean return against any adversary that sees states, observations and past noise, and whose changes
 * of the next observations stay within the budget. `returns` are of episodes without an adversary. An event with
 * probability p keeps at least Φ(Φ⁻¹(p) - budget / noise), also against adaptive adversaries: Kumar, Levine and Feizi, "Policy
 * Smoothing for Provably Robust Reinforcement Learning" (2022). The mean is the sum of the levels' gaps times the probabilities of
 * reaching them; the probabilities are bounded jointly.
 */
export function certifiedReturn(returns: ArrayLike<number>, options: CertificateOptions): number {
  const { noise, budget, levels, least = 0, confidence = 0.99 } = options;
  if (!(noise > 0)) fail("certifiedReturn", `the noise is ${noise}; it must be above 0.`);
  if (levels.some((level, i) => !(level > (i ? levels[i - 1] : least))))
    fail("certifiedReturn", `levels must ascend from ${least}, but are ${levels.join(", ")}.`);
  const each = 1 - (1 - confidence) / levels.length;
  const values = Array.from(returns);
  return levels.reduce((sum, level, i) => {
    const reached = values.filter((r) => r >= level).length;
    const p = leastProbability(reached, values.length, each);
    const kept = normalProbability(normalQuantile(p) - budget / noise);
    return sum + (level - (i ? levels[i - 1] : least)) * kept;
  }, least);
}
