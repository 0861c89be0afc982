import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import { add, div, exp, gt, mul, neg, type Tensor, where } from "@reins/tensor";
import { learningHints, tracedGrpo, tracedSteps } from "../shared/traces.ts";
import { refined } from "./ghpo.parts.ts";

/**
 * The loss of guided answers (column `guided`): their ratio r to the answer with its hint enters as r / (r + γ), unclipped. A given token
 * had the probability 1, so its ratio is its probability; later tokens have the same context in both. `inner` bounds the other answers.
 */
export const withoutHint =
  (inner: losses.Ratio, gamma = 1): losses.Ratio =>
  (input) => {
    const { columns, advantage, logProb, ratio } = input;
    const r = where(columns.taught as Tensor, exp(logProb), ratio);
    const shaped = neg(mul(advantage, div(r, add(r, gamma))));
    return where(gt(columns.guided as Tensor, 0), shaped, inner(input));
  };

/** Problems without a success are sampled again with a share of their trace. The tokens of hints are trained on where they are `corrected` for. */
export const guide = (corrected: boolean, hint = 0.5) =>
  tracedGrpo("guide", (given, { clip }, inner) => {
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
      target(batch, rewards, judged) {
        const guided = judged.map(({ episode }) => Number(tracedSteps(episode) > 0));
        return { ...inner.target(batch, rewards, judged), guided: targets.spread(guided, batch) };
      },
      loss: losses.policyGradient({ ratio: withoutHint(losses.clipped(clip)), clip }),
    };
  });
