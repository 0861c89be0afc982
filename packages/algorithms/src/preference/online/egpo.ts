import { type AlgorithmContext, type Started, size } from "@reins/core";
import { type EpisodicParts, episodic } from "@reins/core/loops";
import { whenReady } from "@reins/core/plans";
import { type Scalar, valueOf } from "@reins/core/settings";
import type { Tensor } from "@reins/tensor";
import { div, square, sub } from "@reins/tensor";
import { beta } from "../options.ts";
import { type PairLoss, pairTerm } from "../pairs.ts";
import { everyPair } from "../selections.ts";
import { winsColumn } from "./completion-term.ts";
import { extragradient, startOfStep } from "./extragradient.ts";
import { onlinePreferenceMethod } from "./method.ts";

/** Online IPO with win rates: the difference of two log-ratios to the reference is regressed to that of the win rates, divided by β. */
export const egpoLoss =
  (beta: Scalar): PairLoss =>
  ({ chosen, rejected, rows, split, input }) => {
    const [wins, others] = split(rows.total(input.columns.wins as Tensor).div(rows.length));
    const gap = sub(chosen.logRatio, rejected.logRatio);
    return square(sub(gap, div(sub(wins, others), valueOf(beta))));
  };

/** A round is two: the policy samples and is extrapolated; what it samples there gives the step from where it was. */
function beginExtragradient(parts: EpisodicParts, context: AlgorithmContext): Started {
  const optimiser = extragradient(parts.optimiser);
  const process = episodic({ ...parts, optimiser, gradientAt: startOfStep }, context);
  const { step } = process;
  return Object.assign(process, {
    step: () => whenReady(step(), (metrics) => (process.finished ? metrics : step())),
  });
}

/** Extragradient preference optimisation: self-play against the policy one step ahead, whose last weights approach the equilibrium. */
export const egpo = onlinePreferenceMethod({
  name: "egpo",
  summary:
    "Self-play against the policy one step ahead: approaches the Nash equilibrium of a preference game without cycling.",
  paper:
    "Extragradient Preference Optimization (EGPO): Beyond Last-Iterate Convergence for Nash Learning from Human Feedback (Zhou et al., 2025)",
  options: {
    beta: beta(0.1),
    groupSize: size(
      2,
      "Group size: completions of each prompt, an even number, since all are trained on in pairs. More gives less noisy win rates (2 to 16).",
      { within: "count" },
    ),
  },
  // (log π(y)/π₀(y) − log π(y′)/π₀(y′) − (P(y ≻ π′) − P(y′ ≻ π′)) / β)²,  twice with the gradient at π_t:
  // π′ = π_t gives π_t+½, and π′ = π_t+½ gives π_t+1
  method: (o) => ({
    loss: pairTerm(egpoLoss(o.beta)),
    selection: everyPair(),
    paired: true,
    onPolicy: true,
    columns: winsColumn,
  }),
  begin: beginExtragradient,
});
