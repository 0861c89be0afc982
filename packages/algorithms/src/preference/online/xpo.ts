import { type JudgedEpisode, setting, size } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { type Scalar, valueOf } from "@reins/core/settings";
import type { Tensor } from "@reins/tensor";
import { add, gt, mul, where } from "@reins/tensor";
import { dpoLoss } from "../dpo.ts";
import { beta } from "../options.ts";
import { type PairLoss, pairTerm } from "../pairs.ts";
import { onlinePreferenceMethod } from "./method.ts";

/**
 * DPO's loss plus α times the log-probability of the completion of the pair that the reference policy sampled (column
 * `explored`, 1 on its tokens): an optimistic bonus for completions that the reference would not write.
 */
export const xpoLoss =
  (beta: Scalar, alpha: Scalar): PairLoss =>
  (pairs) => {
    const { chosen, rejected, rows, split, input } = pairs;
    const [first] = split(rows.total(input.columns.explored as Tensor));
    const explored = where(gt(first, 0.5), chosen.logProb, rejected.logProb);
    return add(dpoLoss(beta)(pairs), mul(explored, valueOf(alpha)));
  };

/** The column `explored`: 1 on tokens that the reference policy sampled. */
export function exploredColumn(judged: readonly JudgedEpisode[]): { readonly explored: Float32Array } {
  const teacher = makers.indexOf("teacher");
  return {
    explored: Float32Array.from(
      judged.flatMap(({ episode }) =>
        Array.from((episode.columns.by as Tensor).data, (maker) => Number(maker === teacher)),
      ),
    ),
  };
}

/** Exploratory preference optimisation: pairs of a completion of the policy and one of the reference policy. */
export const xpo = onlinePreferenceMethod({
  name: "xpo",
  summary:
    "Online DPO with an exploration bonus: lowers the likelihood of completions that the reference policy would write.",
  paper:
    "Exploratory Preference Optimization: Harnessing Implicit Q*-Approximation for Sample-Efficient RLHF (Xie et al., 2024)",
  options: {
    beta: beta(0.1),
    groupSize: size(
      1,
      "Group size: completions of each prompt besides that of the reference policy; the best and the worst of all form a pair (1 to 4).",
      { within: "count" },
    ),
    exploration: setting(
      1e-5,
      "Weight of the exploration bonus. Higher moves the policy away from the reference's completions sooner (0 to 0.001).",
      { within: "nonnegative" },
    ),
  },
  // −log σ(β (log π(y⁺)/π₀(y⁺) − log π(y⁻)/π₀(y⁻))) + α log π(y₀),  y ~ π, y₀ ~ π₀
  method: (o) => ({
    loss: pairTerm(xpoLoss(o.beta, o.exploration)),
    references: 1,
    columns: exploredColumn,
  }),
});
