import type { Columns, EpisodicParts } from "@reins/core";
import { abs, add, div, minimum, mul, stopGradient, type Tensor } from "@reins/tensor";

/** Settings of {@link entropyAdvantage}. */
export interface EntropyAdvantage {
  /** What a nat of entropy adds to the advantage of a token (0.1 to 1). */
  readonly weight: number;
  /** It adds at most the advantage's size over this, so that the sign stays (2). */
  readonly most: number;
}

/**
 * Tokens at which the policy hesitates weigh more (Cheng et al., 2025; Hao et al., 2025): Â + min(α H, |Â| / κ). The entropy is that of the policy before the first pass,
 * and has no gradient of its own. A part of a method: `grpo.with("…", { parts: () => ({ look: entropyAdvantage({ … }) }) })`.
 */
export function entropyAdvantage({ weight, most }: EntropyAdvantage): NonNullable<EpisodicParts["look"]> {
  return ({ entropy }, columns: Columns) => {
    const advantage = columns.advantage as Tensor;
    const bonus = minimum(mul(stopGradient(entropy), weight), div(abs(advantage), most));
    return { advantage: add(advantage, bonus) };
  };
}
