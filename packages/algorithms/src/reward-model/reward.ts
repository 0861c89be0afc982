import {
  type AlgorithmContext,
  define,
  fail,
  type JudgedEpisode,
  type Started,
  setting,
  size,
} from "@reins/core";
import { groupEpisodes } from "@reins/core/episodes";
import { validated } from "@reins/core/loops";
import type { Tensor } from "@reins/tensor";
import { patience, validateEvery } from "../options.ts";
import { learning } from "../preference/options.ts";
import { beginPreference, type PreferenceParts, preferenceParts } from "../preference/parts.ts";
import { rankingSelection } from "../preference/selections.ts";
import { rewardTerm } from "./loss.ts";

/** Options of methods that train a reward model. */
export const rewardLearning = {
  ...learning,
  learningRate: setting(1e-4, "Learning rate. Higher learns faster until rewards diverge (1e-6 to 1e-3).", {
    within: "nonnegative",
  }),
  validation: size(
    200,
    "Held-out prompts for validation of accuracy and calibration; 0: none. More is less noisy and slower (50 to 1,000).",
    { within: "whole" },
  ),
  validateEvery,
  patience,
};

/**
 * Trains a reward model on compared completions: the model of Bradley and Terry on pairs, of Plackett and Luce on
 * rankings. Rewards are determined up to a constant for each prompt; centring keeps them around 0.
 */
export const reward = define({
  name: "reward",
  summary:
    "Trains a reward model: a language model with a scalar head that scores the chosen completion of a pair above the rejected one, and the completions of a ranking in its order.",
  paper: "Learning to summarize from human feedback (Stiennon et al., 2020)",
  stability: "experimental",
  options: {
    ...rewardLearning,
    centring: setting(
      0.01,
      "Weight of the squared sum of the two rewards of a pair, which keeps rewards around 0. Higher makes rewards of different prompts comparable, and fits the pairs less (0 to 0.1).",
      { within: "nonnegative" },
    ),
  },
  learnsFrom: "comparisons",
  trains: "reward",
  // −log σ(r⁺ − r⁻ − margin) + centring (r⁺ + r⁻)²; of a ranking −Σᵢ log(exp rᵢ / Σ over i and all worse j of exp rⱼ)
  parts: (o, context, name): PreferenceParts =>
    preferenceParts(name, o, context, {
      loss: rewardTerm(o.centring),
      reference: false,
      selection: rankingSelection(),
      columns: (judged) => comparisonColumns(name, judged, o.accumulate),
    }),
  begin: (parts, context, o): Started => withValidation(beginPreference(parts, context), o, context),
});

/** The column `margin`. Gradient accumulation splits a batch into rows, so lists other than pairs are refused with it. */
function comparisonColumns(name: string, judged: readonly JudgedEpisode[], accumulate: number) {
  const ranking = accumulate > 1 ? groupEpisodes(judged).find((group) => group.length !== 2) : undefined;
  if (ranking)
    fail(
      name,
      `accumulate is ${accumulate}, and a ranking has ${ranking.length} completions, which must not be separated. Set accumulate to 1, or use pairs.`,
    );
  const columns = judged.map(({ episode }) =>
    new Float32Array((episode.columns.by as Tensor).size).fill(episode.margin ?? 0),
  );
  return { margin: Float32Array.from(columns.flatMap((c) => [...c])) };
}

/** Adds validation on held-out pairs, if the stage has some. */
export function withValidation(
  process: Started,
  o: { readonly validation: number; readonly validateEvery: number; readonly patience: number },
  context: AlgorithmContext,
): Started {
  const { stage } = context.place;
  if (!stage?.validation || o.validation === 0) return process;
  const options = { examples: o.validation, every: o.validateEvery, patience: o.patience };
  return validated(process, stage.validation, options, context);
}
