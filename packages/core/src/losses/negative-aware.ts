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
import type { Term } from "../loss.ts";
import { type Adjustable, over } from "../signals/live.ts";

/** Settings of {@link negativeAware}. */
export interface NegativeAwareOptions {
  /** Least ratio of the negative policy whose logarithm is taken (default 1). Lower pushes harder away from what has become likelier. */
  readonly least?: Adjustable;
  /**
   * What a problem counts that is solved at rate r. `even`: all the same. `failures`: 1 − r, and while the policy is the one that acted the
   * gradient is Dr. GRPO's (the default). `odds`: √((1 − r) / r), and it is GRPO's.
   */
  readonly weight?: "even" | "failures" | "odds";
  /** What wrong answers count (default 1). At 0 right ones are imitated and the rest is ignored. */
  readonly wrong?: Adjustable;
}

/** Rates are held within these, so that nothing is divided by 0. */
const rates = [0.02, 0.98] as const;

/**
 * Negative-aware fine-tuning (Chen et al., 2025): likelihood of right and of wrong answers, both under the same policy. What acted is a
 * mixture of a policy that is right, which is what is learned, and one that is wrong; so the wrong one's ratio to what acted is
 * (1 − r · ratio) / (1 − r), where r is how often the problem is solved. Below `least` the logarithm is held, but its slope is kept.
 * Reads `right` (1 or 0) and `rate`, both the same for all steps of an answer.
 */
export function negativeAware(options: NegativeAwareOptions = {}): Term {
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
      const held = stopGradient(maximum(negative, over(least, columns)));
      // The value is the held logarithm; the slope is that of the ratio itself over what it is held at.
      const slope = div(sub(negative, stopGradient(negative)), held);
      const unlikely = mul(add(log(held), slope), over(wrong, columns));
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
