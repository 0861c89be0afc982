import { add, clamp, div, maximum, mul, neg, square, sub, sum, type Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Term } from "../loss.ts";
import { type Adjustable, over } from "../signals/live.ts";

/**
 * Half the squared error of the critic against `return`, added up over its heads, in units of the critic's scale where it has one (`extra.valueUnit`). With `clip`, moving further than that from the old value earns nothing
 * (as in OpenAI's baselines).
 */
export function valueError(options: { clip?: Adjustable } = {}): Term {
  return {
    value({ scored, columns, report }) {
      const value =
        scored.value ?? fail("valueError", "the policy has no critic. Give it one, or leave the term out.");
      const target = columns.return as Tensor;
      let error = square(sub(value, target));
      if (options.clip !== undefined) {
        const range = over(options.clip, columns);
        const c = scored.extra?.valueUnit ? mul(scored.extra.valueUnit, range) : range;
        const old = columns.value as Tensor;
        const held = add(old, clamp(sub(value, old), neg(c), c));
        error = maximum(error, square(sub(held, target)));
      }
      const unit = scored.extra?.valueUnit;
      const whole = error.rank > scored.logProb.rank ? sum(error, -1) : error;
      const loss = mul(unit ? div(whole, square(unit)) : whole, 0.5);
      report("loss/value", loss);
      return loss;
    },
  };
}

/** The policy's entropy, in nats: weigh it negatively to keep the policy random. */
export function entropy(): Term {
  return { value: ({ scored }) => scored.entropy };
}
