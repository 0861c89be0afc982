import { fail } from "../errors.ts";
import { normalProbability, normalQuantile } from "./normal.ts";
import { leastProbability } from "./proportion.ts";

/** Settings of {@link certifiedReturn}. */
export interface CertificateOptions {
  /** Deviation of the normal noise that the agent adds to each number of each observation. */
  readonly noise: number;
  /** Euclidean length of everything that an adversary adds to the observations of one episode, taken together. */
  readonly budget: number;
  /** Returns whose probability is bounded, rising and chosen before any episode is played. More are finer, but each is known less surely. */
  readonly levels: readonly number[];
  /** The lowest possible return (0 by default). */
  readonly least?: number;
  /** Probability that the certificate holds (0.99 by default). */
  readonly confidence?: number;
}

/**
 * A mean return that a smoothed policy keeps whatever an adversary does that sees states, observations and past noise and adds no more
 * than its budget to what the agent is about to observe. `returns` are of episodes without an adversary. A result that comes about
 * with probability p keeps Φ(Φ⁻¹(p) - budget / noise), also against adversaries that adapt: Kumar, Levine and Feizi, "Policy
 * Smoothing for Provably Robust Reinforcement Learning" (2022). The mean is the sum of the levels' gaps times the probabilities to
 * reach them; the probabilities are bounded together.
 */
export function certifiedReturn(returns: ArrayLike<number>, options: CertificateOptions): number {
  const { noise, budget, levels, least = 0, confidence = 0.99 } = options;
  if (!(noise > 0)) fail("certifiedReturn", `the noise is ${noise}; without any nothing can be certified.`);
  if (levels.some((level, i) => !(level > (i ? levels[i - 1] : least))))
    fail("certifiedReturn", `levels must rise from ${least} on, not ${levels.join(", ")}.`);
  const each = 1 - (1 - confidence) / levels.length;
  const values = Array.from(returns);
  return levels.reduce((sum, level, i) => {
    const reached = values.filter((r) => r >= level).length;
    const p = leastProbability(reached, values.length, each);
    const kept = normalProbability(normalQuantile(p) - budget / noise);
    return sum + (level - (i ? levels[i - 1] : least)) * kept;
  }, least);
}
