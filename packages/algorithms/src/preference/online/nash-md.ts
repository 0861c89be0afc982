import { setting, size } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { mul, neg, stopGradient, sub } from "@reins/tensor";
import { ownCompletions } from "../selections.ts";
import { type CompletionLoss, completionTerm, tokenColumn } from "./completion-term.ts";
import { onlinePreferenceMethod } from "./method.ts";

/**
 * The policy gradient of the regularised payoff: P(y ≻ y′) against the mixture, 1/2 as the baseline, and the KL penalty
 * τ log π/π₀ of the whole completion. (TRL penalises each token by its own ratio, which leaves out the effect of a token
 * on the ratios of later ones.)
 */
export const nashMdLoss =
  (anchor: Scalar): CompletionLoss =>
  ({ rows, wins }) => {
    const payoff = sub(sub(wins, 0.5), mul(rows.logRatio, valueOf(anchor)));
    return neg(mul(stopGradient(payoff), rows.logProb));
  };

/** Nash mirror descent as a policy gradient (Nash-MD-PG): the opponent is a geometric mixture of the policy and the reference policy. */
export const nashMd = onlinePreferenceMethod({
  name: "nash-md",
  summary:
    "Policy gradient of the preference over a mixture of the policy and its reference: a steadier opponent than the policy itself.",
  paper: "Nash Learning from Human Feedback (Munos et al., 2023)",
  options: {
    groupSize: size(
      1,
      "Group size: completions of each prompt besides that of the mixture, which each is compared with (1 to 8).",
      { within: "count" },
    ),
    mixture: size(
      0.125,
      "Weight of the reference policy in the opponent: 0 is self-play, 1 plays against the reference. Higher changes the opponent less (0.1 to 0.5).",
      { within: "share" },
    ),
    anchor: setting(
      0.05,
      "Weight τ of the KL penalty against the reference policy. Higher stays closer to it (0.005 to 0.3).",
      { within: "nonnegative" },
    ),
  },
  // −(P(y ≻ y′) − 1/2 − τ log π(y)/π₀(y)) log π(y),  y ~ π, y′ ~ π^(1−β) π₀^β
  method: ({ anchor, mixture }) => ({
    loss: completionTerm(nashMdLoss(anchor), false),
    onPolicy: true,
    references: 1,
    mixture,
    opponents: ({ role }) => role === "teacher",
    selection: ownCompletions(),
    columns: (judged) => ({ wins: tokenColumn(judged, ({ reward }) => reward) }),
  }),
});
