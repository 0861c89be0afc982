import * as losses from "@reins/core/losses";
import { exp, type Tensor, where } from "@reins/tensor";
import { learningHints, tracedGrpo } from "../shared/traces.ts";
import { refined } from "./ghpo.parts.ts";

/**
 * Ratios of an answer without its hint to the same answer given with it. A given token had the probability 1, so its ratio is its
 * probability; the tokens after it have the same context in both.
 */
export const withoutHint =
  (inner: losses.Ratio): losses.Ratio =>
  (input) => {
    const given = input.columns.taught as Tensor | undefined;
    return inner(given ? { ...input, ratio: where(given, exp(input.logProb), input.ratio) } : input);
  };

/** Problems without a success are sampled again with a share of their trace. The tokens of hints are trained on where they are `corrected` for. */
export const guide = (corrected: boolean, hint = 0.5) =>
  tracedGrpo("guide", (given, { clip }) => {
    const { task, selection } = refined(given, [hint]);
    if (!corrected) return { task, selection, from: "policy" };
    return {
      task,
      selection: {
        select(judged) {
          const chosen = selection.select(judged);
          return chosen && learningHints(chosen);
        },
      },
      loss: losses.policyGradient({ ratio: withoutHint(losses.clipped(clip)), clip }),
    };
  });
