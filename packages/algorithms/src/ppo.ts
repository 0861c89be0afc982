import {
  type AlgorithmContext,
  choice,
  define,
  fail,
  type LossTerm,
  type ResolvedOptions,
  setting,
  size,
} from "@reins/core";
import { type EpisodicParts, learnFrom, type OnPolicyParts, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { updateReturnScale } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { remembering } from "./memory-actor-critic.ts";
import * as rows from "./options.ts";
import { criticParts } from "./post-training/critic-parts.ts";
import { groupProcess } from "./post-training/reference.ts";
import { imitating, selfImitationRows } from "./self-imitation.ts";

const { byColumn, clipped, entropy, minus, klFromBehaviour, policyGradient, sum, valueError, weighted } =
  losses;

const options = {
  learningRate: setting(2.5e-4, "Learning rate. Higher learns faster until it diverges (1e-5 to 1e-3).", {
    within: "nonnegative",
  }),
  clip: setting(
    0.2,
    "Clip range of the importance ratio. Higher allows larger, less safe policy changes (0.1 to 0.3).",
    { per: "token", within: "nonnegative" },
  ),
  gamma: setting(0.99, "Discount factor. Higher looks further ahead, with more variance (0.9 to 0.999).", {
    per: "token",
    within: "share",
  }),
  lambda: setting(0.95, "GAE lambda: 0 relies on the critic, 1 on the returns (0.8 to 1).", {
    per: "token",
    within: "share",
  }),
  entropyWeight: setting(
    0.01,
    "Weight of the entropy bonus. Higher explores more and converges later (0 to 0.05).",
    { per: "token", within: "any" },
  ),
  valueWeight: setting(0.5, "Weight of the value loss (0.25 to 1).", {
    per: "token",
    within: "nonnegative",
  }),
  clipNorm: setting(0.5, "Maximum gradient norm. Lower is steadier and slower (0.3 to 1).", {
    within: "positive",
  }),
  klWeight: setting(
    0,
    "Weight of the KL penalty against the behaviour policy. Higher moves less; a controller of policy/kl adapts it (0 to 3).",
    { per: "token", within: "nonnegative" },
  ),
  maxKl: setting(
    Number.POSITIVE_INFINITY,
    "Target KL: stops the epochs of a batch once the policy has moved this far. Lower is steadier and slower (0.01 to 0.05).",
    { within: "positive" },
  ),
  klEvery: rows.klEvery,
  credit: choice<"token" | "turn">(
    "token",
    ["token", "turn"],
    "Conversations: whether values, advantages and discounts are per token or per turn.",
  ),
  envs: size(8, "Parallel environments. More gives more varied batches (4 to 4096).", {
    within: "count",
  }),
  steps: size(
    128,
    "Steps of each environment between updates. More gives better advantages, fewer updates (16 to 2048).",
    { within: "count" },
  ),
  epochs: setting(4, "Epochs over each batch. More learns more from it and moves further (1 to 20).", {
    within: "count",
  }),
  minibatches: size(4, "Minibatches per epoch. More gives more, noisier updates (1 to 64).", {
    within: "count",
  }),
  clipValue: size(true, "Clip the value function's change to the clip range as well."),
  hidden: size<readonly number[]>([64, 64], "Widths of the hidden layers."),
  ...rows.activatedBody,
  shared: size(false, "Share one body between actor and critic."),
  continuous: choice<"normal" | "tanh" | "beta">(
    "normal",
    ["normal", "tanh", "beta"],
    "Distribution of continuous actions.",
  ),
  logStd: size(0, "Initial log standard deviation of continuous actions. Lower explores less (-2 to 0).", {
    within: "any",
  }),
  noise: choice<"independent" | "state-dependent" | "correlated">(
    "independent",
    ["independent", "state-dependent", "correlated"],
    "How the noise of continuous actions is correlated over time.",
  ),
  noiseSteps: size(
    8,
    "State-dependent noise: steps between resampling. More explores more smoothly (4 to 64).",
    { within: "count" },
  ),
  noiseMemory: size(
    0.9,
    "Correlated noise: correlation between consecutive steps. Higher explores further (0 to 0.99).",
    { within: "share" },
  ),
  ...rows.memory,
  values: rows.values,
  ...rows.popArt,
  ...rows.streams,
  ...selfImitationRows,
  normalise: choice<"minibatch" | "batch" | "none">(
    "minibatch",
    ["minibatch", "batch", "none"],
    "Scope of advantage normalisation (mean 0, standard deviation 1).",
  ),
};

/** PPO's live settings. */
export type PpoSettings = ResolvedOptions<typeof options>;

/** Proximal Policy Optimization (Schulman et al., 2017), with the implementation details of Huang et al. (2022). */
export const ppo = define({
  name: "ppo",
  summary: "Clipped policy gradient with a critic and several epochs over each batch: the one to try first.",
  paper: "Proximal Policy Optimization Algorithms (Schulman et al., 2017)",
  options,
  learnsFrom: "both",
  parts: ppoParts,
  begin: onPolicy,
  episodes: (o, context, name) =>
    groupProcess(textParts(o, context, name), { tied: false, every: o.klEvery }, context),
});

/** The parts of PPO, for methods with their own options; methods with PPO's options replace a part with `ppo.with`. */
export function ppoParts(o: PpoSettings, context: AlgorithmContext, name = "ppo"): OnPolicyParts {
  if (o.credit === "turn")
    fail(
      name,
      `credit by turn needs a conversation, and ${context.spec.id} is stepped. Leave out the option.`,
    );
  return {
    name,
    policy: remembering(context.spec, { ...o, streams: o.discounts.length || undefined }),
    target: targetOf(o, context, name),
    envs: o.envs,
    steps: o.steps,
    ...learning(o),
    ...(o.popArt ? { learn: onItsScale(o) } : {}),
    ...imitating(o, context),
  };
}

/** Advantages with one discount factor, or one per head of the critic. */
function targetOf(o: PpoSettings, { spec }: AlgorithmContext, name: string): OnPolicyParts["target"] {
  const { discounts, discountWeights: weights, gamma, lambda } = o;
  if (discounts.length === 0) return targets.gae({ gamma, lambda });
  for (const gamma of discounts)
    if (!(gamma >= 0 && gamma <= 1)) fail(name, `discounts contains ${gamma}; each must be from 0 to 1.`);
  const streams = spec.rewards?.length ?? discounts.length;
  if (discounts.length !== streams)
    fail(
      name,
      `${spec.id} has ${streams} rewards (${spec.rewards?.join(", ")}), but ${discounts.length} discounts are given. Give one for each.`,
    );
  if (weights.length > 0 && weights.length !== streams)
    fail(
      name,
      `${weights.length} discountWeights are given for ${streams} discounts. Give one for each, or none.`,
    );
  if (o.selfImitation > 0)
    fail(
      name,
      "selfImitation compares returns with a single value and does not support several discounts. Leave out one of them.",
    );
  return targets.streams({ discounts, lambda, ...(weights.length ? { weights } : {}) });
}

/** PopArt: updates the critic's scale from the batch's returns before the critic learns from them. */
const onItsScale =
  (o: PpoSettings): typeof learnFrom =>
  (how, policy, learned, columns, start, key) => {
    const { return: returns, alive } = columns as { readonly return: Tensor; readonly alive?: Tensor };
    const weights = updateReturnScale(learned.weights, returns, o.popArtRate, alive);
    return learnFrom(how, policy, { ...learned, weights }, columns, start, key);
  };

/** PPO on completions: `envs` per batch, with rewards at their ends. */
function textParts(o: PpoSettings, context: AlgorithmContext, name: string): EpisodicParts {
  if (o.values !== "plain")
    fail(
      name,
      `the values option needs a stepped environment, and ${context.spec.id} is not one. Leave out the option.`,
    );
  if (o.selfImitation > 0)
    fail(
      name,
      `selfImitation needs a stepped environment, and ${context.spec.id} is not one. Leave out the option.`,
    );
  return {
    ...criticParts(name, { ...o, texts: o.envs }, context),
    ...learning(o),
    ...(o.credit === "turn" ? { loss: ppoLoss(o, clipped(o.clip), byColumn("opens", valueOf(o))) } : {}),
  };
}

/** Settings shared by stepped environments and language tasks. */
const learning = (o: PpoSettings) => ({
  loss: ppoLoss(o, clipped(o.clip)),
  ...(o.maxKl.isOff(Number.POSITIVE_INFINITY) ? {} : { maxKl: o.maxKl }),
  optimiser: nn.adam({ epsilon: 1e-5 }),
  learningRate: o.learningRate,
  clipNorm: o.clipNorm,
  epochs: o.epochs,
  minibatches: o.minibatches,
  normalise: o.normalise,
});

/** The value loss. */
const valueOf = (o: PpoSettings): LossTerm => valueError(o.clipValue ? { clip: o.clip } : {});

/** The PPO loss, with any bound on the ratio and any value loss. */
export const ppoLoss = (o: PpoSettings, ratio: losses.Ratio, value = valueOf(o)): LossTerm =>
  sum(
    policyGradient({ ratio, clip: o.clip }),
    weighted(o.valueWeight, value),
    minus(o.entropyWeight, entropy()),
    ...(o.klWeight.isOff() ? [] : [weighted(o.klWeight, klFromBehaviour())]),
  );
