import { fail, type JudgedEpisode, type LossTerm } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import { abs, div, log, logSigmoid, mul, neg, pow, stopGradient } from "@reins/tensor";
import { differences, type Lists, listTerm, ranks } from "./lists.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { rankingSelection } from "./selections.ts";

/** How much the ranking metric (DCG) changes if two completions swap their ranks under the policy. */
function swapGain({ score, same }: Lists, reward: Parameters<typeof ranks>[0]) {
  const discount = div(1, log(ranks(stopGradient(reward), same).add(1)));
  return mul(abs(differences(pow(2, score))), abs(differences(discount)));
}

/** The logistic loss of all pairs of a list, weighted by their lambda weights. */
export const lipoTerm = (beta: Scalar): LossTerm =>
  listTerm(
    (lists) => {
      const reward = mul(lists.rows.logRatio, valueOf(beta));
      return mul(neg(logSigmoid(differences(reward))), swapGain(lists, reward));
    },
    { reward: (rows) => rows.logRatio },
  );

/** Highest score whose gain leaves gradients finite. */
const highest = 32;

/** Refuses scores with a gain that is not finite; adds no columns. */
function checkScores(judged: readonly JudgedEpisode[]): Record<string, never> {
  const worst = judged.find(({ reward }) => reward > highest);
  if (worst)
    fail(
      "lipo",
      `a completion has the score ${worst.reward}, whose gain is 2^${worst.reward}. Scale scores to at most ${highest}, such as 0 to 1.`,
    );
  return {};
}

/** Listwise preference optimisation with LambdaRank's weights. */
export const lipo = preferenceMethod({
  name: "lipo",
  summary: "Learns from ranked lists: pairs count by how much swapping them would change the ranking's gain.",
  paper: "LiPO: Listwise Preference Optimization through Learning-to-Rank (Liu et al., 2024)",
  options: { beta: beta(0.1), precompute },
  // Σ over pairs with ψᵢ > ψⱼ of |2^ψᵢ − 2^ψⱼ| |1/log(1+τᵢ) − 1/log(1+τⱼ)| (−log σ(sᵢ − sⱼ)), with s = β log π/π₀
  method: (o) => ({
    loss: lipoTerm(o.beta),
    wholeBatch: true,
    selection: rankingSelection(),
    columns: checkScores,
  }),
});
