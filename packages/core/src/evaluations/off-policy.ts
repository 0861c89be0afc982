import { compile, real, type Tensor, type Tree } from "@reins/tensor";
import type { CurrentPolicy } from "../algorithm.ts";
import { type Columns, pack } from "../batch.ts";
import type { Episode } from "../episode.ts";
import { fail } from "../errors.ts";
import type { Estimate, Evaluation } from "../evaluation.ts";
import { failWithoutLikelihood, isScoringPolicy } from "../policy.ts";
import { recordedStep } from "../recorded-step.ts";
import { rewardOf } from "../targets/backwards.ts";
import { estimate } from "./estimate.ts";
import { meanOf } from "./mean.ts";

/** Settings of {@link importanceSampling}. */
export interface ImportanceOptions {
  /** Discount factor. */
  readonly gamma?: number;
  /** "step" weights each reward by the ratios of the actions before it only (Precup et al., 2000); "episode" weights whole returns. */
  readonly per?: "step" | "episode";
  /** Divides by the sum of the weights instead of the number of episodes: biased, with much less variance. */
  readonly weighted?: boolean;
}

/**
 * Off-policy estimate of a policy's return from episodes of a behaviour policy, whose log-probabilities are the column `logProb`.
 *
 * @experimental
 */
export function importanceSampling(
  { policy, weights }: CurrentPolicy,
  { gamma = 1, per = "step", weighted = false }: ImportanceOptions = {},
): Evaluation<readonly Episode[], Estimate> {
  if (!isScoringPolicy(policy)) return failWithoutLikelihood("importanceSampling", "it");
  if (policy.likelihood !== "exact")
    fail("importanceSampling", `needs a policy with exact likelihoods; this one has "${policy.likelihood}".`);
  const likelihood = compile((w: Tree, columns: Columns) => policy.score(w, recordedStep(columns)).logProb, {
    name: "likelihood",
    host: true,
  });
  return (episodes) => {
    const { columns, index } = pack(episodes);
    if (index.kind !== "episodes") throw new Error("unreachable");
    const target = likelihood(weights, columns).data;
    const behaviour = (columns.logProb as Tensor).data;
    const reward = rewardOf({ reward: columns.reward as Tensor, done: columns.logProb as Tensor }).data;
    const ratios: number[] = [];
    const values = episodes.map((_, e) => {
      let log = 0;
      let plain = 0;
      let value = 0;
      for (let t = index.starts[e]; t < index.starts[e + 1]; t++) {
        const discount = real.pow(gamma, t - index.starts[e]);
        log += target[t] - behaviour[t];
        plain += discount * reward[t];
        value += real.exp(log) * discount * reward[t];
      }
      ratios.push(real.exp(log));
      return per === "step" ? value : real.exp(log) * plain;
    });
    if (!weighted) return estimate(values);
    const mean = meanOf(ratios);
    return estimate(values.map((v) => v / mean));
  };
}
