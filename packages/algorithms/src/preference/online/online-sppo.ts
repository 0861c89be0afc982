import { setting, size } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { mul, square, sub, type Tensor } from "@reins/tensor";
import { ownCompletions } from "../selections.ts";
import { type CompletionLoss, completionTerm, winsColumn } from "./completion-term.ts";
import { onlinePreferenceMethod } from "./method.ts";

/**
 * The squared distance of the log-ratio to the policy that sampled from η (P(y ≻ π_t) − 1/2): a regression to the
 * multiplicative weights update, whose normaliser is close to exp(η/2).
 */
export const onlineSppoLoss =
  (step: Scalar): CompletionLoss =>
  ({ rows, wins, input }) => {
    const sampled = rows.total(input.columns.logProb as Tensor);
    return square(sub(sub(rows.logProb, sampled), mul(sub(wins, 0.5), valueOf(step))));
  };

/** Self-play preference optimisation: multiplicative weights against the policy itself, whose average approaches the Nash equilibrium. */
export const onlineSppo = onlinePreferenceMethod({
  name: "online-sppo",
  summary:
    "Self-play: regresses the change of each completion's log-probability to its win rate against the policy.",
  paper: "Self-Play Preference Optimization for Language Model Alignment (Wu et al., 2024)",
  options: {
    groupSize: size(
      4,
      "Group size: completions of each prompt, which are compared with each other. More gives less noisy win rates (2 to 16).",
      { within: "count" },
    ),
    step: setting(
      1,
      "Step size η of multiplicative weights. Higher moves further from the policy that sampled (0.1 to 10).",
      { within: "positive" },
    ),
  },
  // (log π(y)/π_t(y) − η (P(y ≻ π_t) − 1/2))²,  y ~ π_t. The paper keeps the best and the worst y of five; here all count.
  method: ({ step }) => ({
    loss: completionTerm(onlineSppoLoss(step), true),
    reference: false,
    selection: ownCompletions(),
    columns: winsColumn,
  }),
});
