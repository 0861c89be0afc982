import type { Columns } from "@reins/core";
import type { EpisodicParts } from "@reins/core/loops";
import { abs, add, div, minimum, mul, stopGradient, type Tensor } from "@reins/tensor";

/** Settings of {@link entropyAdvantage}. */
export interface EntropyAdvantage {
  /** Advantage added per nat of a token's entropy (0.1 to 1). */
  readonly weight: number;
  /** The added advantage is at most |Â| divided by this, so that the sign is kept (2). */
  readonly most: number;
}

/**
 * Adds advantage to tokens with high entropy (Cheng et al., 2025; Hao et al., 2025): Â + min(α H, |Â| / κ). The
 * entropy is that of the policy before the first epoch, without a gradient. Used as a part of a method:
 * `grpo.with("…", { parts: () => ({ look: entropyAdvantage({ … }) }) })`.
 */
export function entropyAdvantage({ weight, most }: EntropyAdvantage): NonNullable<EpisodicParts["look"]> {
  return ({ entropy }, columns: Columns) => {
    const advantage = columns.advantage as Tensor;
    const bonus = minimum(mul(stopGradient(entropy), weight), div(abs(advantage), most));
    return { advantage: add(advantage, bonus) };
  };
}
