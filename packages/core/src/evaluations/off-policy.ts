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
  /** Divides by the sum of the weights, of each step if `per` is "step", instead of the number of episodes: biased, with much less variance. */
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
    // The product of the ratios up to each step, and the discounted rewards.
    const played = episodes.map((_, e) => {
      let log = 0;
      const rewards: number[] = [];
      const ratios: number[] = [];
      for (let t = index.starts[e]; t < index.starts[e + 1]; t++) {
        log += target[t] - behaviour[t];
        ratios.push(real.exp(log));
        rewards.push(real.pow(gamma, t - index.starts[e]) * reward[t]);
      }
      return { ratios, rewards };
    });
    const longest = Math.max(...played.map(({ ratios }) => ratios.length));
    // An episode that has ended keeps its last ratio: its later rewards are 0.
    const ratioAt = ({ ratios }: { readonly ratios: readonly number[] }, t: number) =>
      ratios[per === "step" ? Math.min(t, ratios.length - 1) : ratios.length - 1];
    const means = Array.from({ length: longest }, (_, t) =>
      weighted ? meanOf(played.map((one) => ratioAt(one, t))) : 1,
    );
    return estimate(
      played.map((one) => one.rewards.reduce((sum, r, t) => sum + (ratioAt(one, t) / means[t]) * r, 0)),
    );
  };
}
