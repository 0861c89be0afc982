import {
  add,
  cast,
  clamp,
  div,
  exp,
  gt,
  log,
  lt,
  maximum,
  minimum,
  mul,
  neg,
  sqrt,
  stopGradient,
  sub,
  type Tensor,
  where,
} from "@reins/tensor";
import type { LossTerm } from "../loss.ts";
import { type SettingValue, settingAt } from "../signals/live.ts";

/** Settings of {@link negativeAware}. */
export interface NegativeAwareOptions {
  /** Lower bound of the negative policy's ratio inside the logarithm (default 1). Lower pushes harder against actions that have become likelier. */
  readonly least?: SettingValue;
  /**
   * Weight of a problem with success rate r. `even`: 1. `failures`: 1 − r; on-policy the
   * gradient is then Dr. GRPO's (the default). `odds`: √((1 − r) / r); on-policy the gradient is GRPO's.
   */
  readonly weight?: "even" | "failures" | "odds";
  /** Weight of wrong answers (default 1). At 0 correct ones are imitated and wrong ones are ignored. */
  readonly wrong?: SettingValue;
}

/** Bounds of success rates, to avoid division by 0. */
const rates = [0.02, 0.98] as const;

/**
 * Negative-aware fine-tuning (Chen et al., 2025): likelihood of correct and of wrong answers under the same policy. The behaviour policy is
 * a mixture of a positive policy, which is the one that is learned, and a negative one, so the negative one's ratio to the behaviour policy
 * is (1 − r · ratio) / (1 − r), where r is the success rate. Below `least` the ratio is bounded, but its gradient is kept.
 * Reads `right` (1 or 0) and `rate`, both equal for all steps of an answer.
 */
export function negativeAware(options: NegativeAwareOptions = {}): LossTerm {
  const { least = 1, weight = "failures", wrong = 1 } = options;
  return {
    needs: { likelihood: "exact", for: "the implicit negative policy" },
    corrects: true,
    value({ scored, columns, report }) {
      const right = gt(columns.right as Tensor, 0.5);
      const rate = clamp(columns.rate as Tensor, ...rates);
      const failures = sub(1, rate);
      const difference = sub(scored.logProb, columns.logProb as Tensor);
      const ratio = exp(minimum(difference, 10));
      const negative = div(sub(1, mul(rate, ratio)), failures);
      const held = stopGradient(maximum(negative, settingAt(least, columns)));
      // The value is the bounded logarithm; the gradient is that of the ratio itself, divided by the bounded ratio.
      const slope = div(sub(negative, stopGradient(negative)), held);
      const unlikely = mul(add(log(held), slope), settingAt(wrong, columns));
      const counts = weight === "even" ? 1 : weight === "failures" ? failures : sqrt(div(failures, rate));
      const loss = mul(neg(where(right, difference, unlikely)), counts);
      report("policy/entropy", scored.entropy);
      report("policy/kl", sub(sub(ratio, 1), difference));
      report("policy/ratio", ratio);
      report("policy/clipped", cast(lt(negative, where(right, negative, held)), "f32"));
      report("loss/policy", loss);
      return loss;
    },
  };
}
