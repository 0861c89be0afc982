import { div, maximum, mul, sum, type Tensor, where } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { LossTerm } from "../loss.ts";
import { episodeCount, overEpisodes } from "./episode-rows.ts";

/**
 * Loss aggregation. `token`: token mean, so long texts have more weight (DAPO; the default without this term).
 * `text`: sequence mean, so tokens of long texts have less weight (GRPO). `sum`: token sum per text, averaged over texts.
 * `constant`: token sum over a constant length, `longest` or the columns' length (Dr. GRPO).
 */
export type Aggregation = "token" | "text" | "sum" | "constant";

/** Weights the tokens of a term so that the mean over all tokens becomes another aggregation. Columns are whole texts, [time, rows]. */
export function aggregated(how: Aggregation, term: LossTerm, longest?: number): LossTerm {
  if (how === "token") return term;
  return {
    ...term,
    value(material) {
      const alive = material.columns.alive as Tensor | undefined;
      if (alive?.rank !== 2)
        return fail("aggregated", "needs whole texts as columns [time, rows]. Use a policy with memory.");
      const counts = where(alive, 1, 0);
      // The weights of texts depend on the whole minibatch, also if this is only a part of it.
      const everything = material.whole ? where(material.whole, 1, 0) : counts;
      const own = material.columns.episodeNumber as Tensor | undefined;
      const numbers = material.whole ? material.wholeEpisodes : own;
      const lengths = sum(everything, { axis: 0, keepDims: true });
      // An episode in several segments is one text.
      const length = numbers ? overEpisodes(lengths, numbers, own) : sum(counts, { axis: 0, keepDims: true });
      // A minibatch can consist of padding only.
      const texts = maximum(episodeCount(lengths, numbers), 1);
      const all = sum(everything);
      const each = how === "text" ? maximum(length, 1) : how === "constant" ? (longest ?? alive.shape[0]) : 1;
      return mul(term.value(material), div(div(all, texts), each));
    },
  };
}
