import type { LengthReward } from "../shared/length-rewards.ts";

/** Settings of {@link adaptivePenalty}. */
export interface AdaptivePenaltyOptions {
  /** The first penalty of a token. */
  readonly start: number;
  /** Change of the penalty for a difference of 1 between accuracy and its reference. */
  readonly rate: number;
}

/**
 * Adaptive direct length penalty: R = right − λ · length, and λ becomes max(0, λ + rate · (accuracy − reference)) after each batch.
 * The reference is the accuracy of the first batch.
 */
export const adaptivePenalty =
  ({ start, rate }: AdaptivePenaltyOptions) =>
  (): LengthReward => {
    let [penalty, reference]: [number, number?] = [start, undefined];
    return (groups) => {
      const all = groups.flat();
      const accuracy = all.filter((a) => a.right).length / all.length;
      reference ??= accuracy;
      const rewards = groups.map((group) => group.map((a) => Number(a.right) - penalty * a.length));
      penalty = Math.max(0, penalty + rate * (accuracy - reference));
      return rewards;
    };
  };
