import { type JudgedEpisode, type LossTerm, setting } from "@reins/core";
import { groupEpisodes } from "@reins/core/episodes";
import { type Scalar, valueOf } from "@reins/core/settings";
import { cast, gt, maximum, mul, sigmoid, stopGradient, sub, sum, type Tensor, where } from "@reins/tensor";
import { asTokenMean } from "./completions.ts";
import { preferenceMethod } from "./method.ts";
import { beta, precompute } from "./options.ts";
import { pairsOf } from "./pairs.ts";

/** Weights of desirable and undesirable completions. */
export interface KtoWeights {
  readonly desirable: Scalar;
  readonly undesirable: Scalar;
}

/**
 * The loss of completions that are desirable or not (column `label`: 1 or 0). Even rows are completions; odd rows are
 * mismatched ones, on which the divergence from the reference is estimated.
 */
export const ktoTerm = (beta: Scalar, { desirable, undesirable }: KtoWeights): LossTerm => ({
  needs: { likelihood: "bound", for: "preference optimisation" },
  corrects: true,
  value(input) {
    const pairs = pairsOf(input);
    const { chosen: completion, rejected: mismatched, mean, rows, split } = pairs;
    const label = split(rows.total(input.columns.label as Tensor).div(rows.length))[0];
    const good = gt(label, 0.5);
    const divergence = stopGradient(maximum(mean(mismatched.logRatio), 0));
    const b = valueOf(beta);
    const above = mul(sub(completion.logRatio, divergence), b);
    const gain = mul(sub(1, sigmoid(above)), valueOf(desirable));
    const loss = mul(sub(1, sigmoid(mul(above, -1))), valueOf(undesirable));
    const value = asTokenMean(mean(where(good, gain, loss)), input);
    const share = (of: Tensor) => sum(where(pairs.present, cast(of, "f32"), 0));
    const report = (name: string, of: Tensor) => input.report(name, asTokenMean(of, input));
    const average = (of: Tensor, which: Tensor) =>
      sum(where(pairs.present, where(which, of, 0), 0)).div(maximum(share(which), 1));
    const [better, worse] = [good, sub(1, cast(good, "f32")).gt(0.5)].map((which) =>
      average(completion.logRatio, which),
    );
    input.report("loss/preference", value);
    report("preference/margin", sub(better, worse));
    report("preference/divergence", divergence);
    return value;
  },
});

/** The column `label`: 1 for completions above the mean of their prompt, or above ½ where they do not differ. */
export function labelColumn(judged: readonly JudgedEpisode[]): { readonly label: Float32Array } {
  const middles = new Map<string | undefined, number>();
  for (const group of groupEpisodes(judged)) {
    const scores = group.map((j) => j.reward);
    const mean = scores.reduce((a, b) => a + b, 0) / scores.length;
    middles.set(group[0].episode.group, scores.every((s) => s === scores[0]) ? 0.5 : mean);
  }
  const columns = judged.map(({ episode, reward }) =>
    new Float32Array((episode.columns.by as Tensor).size).fill(Number(reward > middles.get(episode.group)!)),
  );
  return { label: Float32Array.from(columns.flatMap((c) => [...c])) };
}

/** Kahneman-Tversky optimisation: needs a label for each completion, no pairs. */
export const kto = preferenceMethod({
  name: "kto",
  summary:
    "Learns from completions that are each desirable or not, without pairs; losses saturate like perceived utility.",
  paper: "KTO: Model Alignment as Prospect Theoretic Optimization (Ethayarajh et al., 2024)",
  options: {
    beta: beta(0.1),
    desirable: setting(1, "Weight of desirable completions. Raise it where they are the minority (1 to 4).", {
      within: "nonnegative",
    }),
    undesirable: setting(
      1,
      "Weight of undesirable completions. Raise it where they are the minority (1 to 4).",
      {
        within: "nonnegative",
      },
    ),
    precompute,
  },
  // λ⁺ (1 − σ(β (log π/π₀ − z))) or λ⁻ (1 − σ(β (z − log π/π₀))), with z = max(0, KL(π, π₀)) on mismatched completions
  method: (o) => ({ loss: ktoTerm(o.beta, o), wholeBatch: true, mismatched: true, columns: labelColumn }),
});
