import { type LossTerm, setting } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { cast, lt, mul, neg, relu, sum } from "@reins/tensor";
import { perToken } from "./completions.ts";
import { differences, type Lists, listTerm } from "./lists.ts";
import { preferenceMethod } from "./method.ts";
import { rankingSelection } from "./selections.ts";

/** The negative log-likelihood per token of the best completion of each list. */
function bestLikelihood({ rows, better, same, count }: Lists) {
  // No row of its list is better than the best one; among equals the first counts as well as the others, in shares.
  const best = mul(cast(lt(sum(better, { axis: 0 }), 0.5), "f32"), cast(rows.present, "f32"));
  const equals = sum(mul(same, best.reshape([1, best.size])), { axis: 1 });
  return neg(sum(mul(perToken(rows), best).div(equals.maximum(1)))).div(count);
}

/** Hinge losses of wrongly ordered pairs, and imitation of the best completion. */
export const rrhfTerm = (likelihood: Scalar): LossTerm =>
  // A better completion must not be less likely than a worse one.
  listTerm(({ rows }) => relu(neg(differences(perToken(rows)))), {
    reward: perToken,
    more: (lists) => mul(bestLikelihood(lists), valueOf(likelihood)),
  });

/** Rank responses to align with human feedback. */
export const rrhf = preferenceMethod({
  name: "rrhf",
  summary:
    "Orders the log-probabilities per token of ranked completions by a hinge loss, and imitates the best one.",
  paper:
    "RRHF: Rank Responses to Align Language Models with Human Feedback without tears (Yuan et al., 2023)",
  options: {
    likelihood: setting(
      1,
      "Weight of the supervised loss of the best completion. Higher imitates more (0 to 2).",
      {
        within: "nonnegative",
      },
    ),
  },
  // Σ over pairs with ψᵢ > ψⱼ of max(0, pⱼ − pᵢ) − λ p_best, with p = log π(y)/|y|
  method: (o) => ({
    loss: rrhfTerm(o.likelihood),
    reference: false,
    wholeBatch: true,
    selection: rankingSelection(),
  }),
});
