import { cast, div, gt, maximum, mul, sum, type Tensor, where } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Term } from "../loss.ts";

/**
 * What a text counts in a batch. `token`: every token counts the same, so long texts count more (DAPO; the default without this term).
 * `text`: every text counts the same, so tokens of long texts count less (GRPO). `sum`: a text's tokens are added up, and texts averaged.
 * `constant`: the same over a constant number of tokens, `longest` or the columns' length (Dr. GRPO).
 */
export type Aggregation = "token" | "text" | "sum" | "constant";

/** A term whose tokens are weighted so that the mean over all tokens becomes another mean. Columns are whole texts, [time, rows]. */
export function aggregated(how: Aggregation, term: Term, longest?: number): Term {
  if (how === "token") return term;
  return {
    ...term,
    value(material) {
      const alive = material.columns.alive as Tensor | undefined;
      if (alive?.rank !== 2)
        return fail("aggregated", "needs whole texts as columns [time, rows]: a policy with memory.");
      const counts = where(alive, 1, 0);
      const length = sum(counts, { axis: 0, keepDims: true });
      // What texts count is a matter of the whole minibatch, also where this is a part of it.
      const everything = material.whole ? where(material.whole, 1, 0) : counts;
      const lengths = material.whole ? sum(everything, { axis: 0, keepDims: true }) : length;
      // A minibatch may be padding alone.
      const texts = maximum(sum(cast(gt(lengths, 0), "f32")), 1);
      const all = sum(everything);
      const each = how === "text" ? maximum(length, 1) : how === "constant" ? (longest ?? alive.shape[0]) : 1;
      return mul(term.value(material), div(div(all, texts), each));
    },
  };
}
