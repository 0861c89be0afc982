import {
  type ActionScores,
  type Columns,
  define,
  fixed,
  type ResolvedOptions,
  setting,
  size,
} from "@reins/core";
import { episodesIn, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import * as rows from "./options.ts";
import { criticParts } from "./post-training/critic-parts.ts";

const { entropy, minus, policyGradient, sum, valueError, weighted } = losses;

const options = {
  learningRate: rows.learningRate(1e-3, "1e-4 to 1e-2"),
  gamma: setting(0.99, "Discount factor. Higher looks further ahead, with more variance (0.9 to 1).", {
    within: "share",
  }),
  entropyWeight: rows.entropyWeight(0),
  valueWeight: setting(0.5, "Weight of the baseline's loss (0.25 to 1).", {
    per: "token",
    within: "nonnegative",
  }),
  clipNorm: setting(
    1000,
    "Maximum gradient norm. A low limit lets the baseline, whose gradients are large, dominate the policy (1 to 1000).",
    { within: "positive" },
  ),
  baseline: size(true, "Learn a state-value baseline: less variance, no bias."),
  episodes: size(8, "Whole episodes between updates. More makes gradients less noisy (1 to 64).", {
    within: "count",
  }),
  klEvery: rows.klEvery,
  ...rows.actor,
  normalise: rows.normalise("batch"),
};

/** REINFORCE (Williams, 1992): every action of a whole episode is reinforced in proportion to its return. */
export const reinforce = define({
  name: "reinforce",
  summary: "The plain policy gradient on whole episodes, with or without a learned baseline.",
  paper:
    "Simple Statistical Gradient-Following Algorithms for Connectionist Reinforcement Learning (Williams, 1992)",
  options,
  learnsFrom: "both",
  start(o, context) {
    const { policy, play } = episodesIn(context, () => ({
      policy: actorCritic(context.spec, { ...o, critic: o.baseline }),
      rows: o.episodes,
    }));
    return episodic(
      {
        name: "reinforce",
        policy,
        rollout: play,
        ...(context.task ? {} : { task: fixed({ groupSize: o.episodes }) }),
        target(batch) {
          const following = targets.rewardsToGo(batch, o.gamma.value);
          const value = (batch.columns.value as Tensor | undefined)?.data;
          return { return: following, advantage: following.map((g, t) => g - (value?.[t] ?? 0)) };
        },
        ...learning(o),
      },
      context,
    );
  },
  episodes(o, context) {
    const parts = criticParts("reinforce", { gamma: o.gamma, lambda: 1, texts: o.episodes }, context);
    // Without a baseline the critic is unused: the return of a completion is its reward.
    const look = (scored: ActionScores, columns: Columns) => {
      const { value, ...seen } = parts.look(scored, columns);
      return o.baseline ? { ...seen, value } : { ...seen, advantage: seen.return };
    };
    return episodic({ ...parts, look, reference: { klEvery: o.klEvery }, ...learning(o) }, context);
  },
});

/** One policy-gradient step: log π(a|s) · (return - baseline). */
function learning(o: ResolvedOptions<typeof options>) {
  const gradient = sum(policyGradient(), minus(o.entropyWeight, entropy()));
  return {
    loss: o.baseline ? sum(gradient, weighted(o.valueWeight, valueError())) : gradient,
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    epochs: 1,
    minibatches: 1,
    normalise: o.normalise,
  };
}
