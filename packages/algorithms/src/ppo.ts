import {
  type Context,
  choice,
  define,
  type EpisodicParts,
  episodic,
  fail,
  type Given,
  learnFrom,
  losses,
  type OnPolicyParts,
  onPolicy,
  rescaled,
  setting,
  size,
  type Term,
  targets,
} from "@reins/core";
import * as nn from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import * as rows from "./options.ts";
import { criticParts } from "./post-training/critic-parts.ts";
import { remembering } from "./remembering.ts";
import { imitating, selfImitationRows } from "./self-imitation.ts";

const { byColumn, clipped, entropy, minus, movement, policyGradient, sum, valueError, weighted } = losses;

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
    "Penalty for moving away from the policy that acted. Higher moves less; a controller of policy/kl adapts it (0 to 3).",
    { per: "token", within: "nonnegative" },
  ),
  maxKl: setting(
    Number.POSITIVE_INFINITY,
    "Leaves a batch when the policy has moved this far. Lower is steadier and slower (0.01 to 0.05).",
    { within: "positive" },
  ),
  credit: choice<"token" | "turn">(
    "token",
    ["token", "turn"],
    "In conversations: whether values, advantages and discounts are of tokens, or of whole turns.",
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
  clipValue: size(true, "Also hold the critic's change within the clip range."),
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
    "How the noise of continuous actions hangs together over time.",
  ),
  noiseSteps: size(
    8,
    "State-dependent noise: steps after which it is drawn anew. More explores more smoothly (4 to 64).",
    { within: "count" },
  ),
  noiseMemory: size(
    0.9,
    "Correlated noise: the share that is kept from one step to the next. Higher explores further (0 to 0.99).",
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

/** PPO's settings, alive. */
export type PpoSettings = Given<typeof options>;

/** Proximal Policy Optimization (Schulman et al., 2017), with the details of the implementations that work (Huang et al., 2022). */
export const ppo = define({
  name: "ppo",
  summary: "Clipped policy gradient with a critic, several passes over each batch: the one to try first.",
  paper: "Proximal Policy Optimization Algorithms (Schulman et al., 2017)",
  options,
  learnsFrom: "both",
  parts: ppoParts,
  begin: onPolicy,
  episodes: (o, context, name) => episodic(textParts(o, context, name), context),
});

/** The parts of PPO, for methods with options of their own; those with PPO's replace one with `ppo.with`. */
export function ppoParts(o: PpoSettings, context: Context, name = "ppo"): OnPolicyParts {
  if (o.credit === "turn")
    fail(
      name,
      `credit by turns is for conversations, and ${context.spec.id} is stepped. Leave the option out.`,
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

/** Advantages by one discount, or by one for each head of the critic. */
function targetOf(o: PpoSettings, { spec }: Context, name: string): OnPolicyParts["target"] {
  const { discounts, discountWeights: weights, gamma, lambda } = o;
  if (discounts.length === 0) return targets.gae({ gamma, lambda });
  for (const gamma of discounts)
    if (!(gamma >= 0 && gamma <= 1)) fail(name, `discounts has ${gamma}; each must be from 0 to 1.`);
  const streams = spec.rewards?.length ?? discounts.length;
  if (discounts.length !== streams)
    fail(
      name,
      `${spec.id} has ${streams} rewards (${spec.rewards?.join(", ")}), and there are ${discounts.length} discounts. Give one for each.`,
    );
  if (weights.length > 0 && weights.length !== streams)
    fail(
      name,
      `there are ${weights.length} discountWeights for ${streams} discounts. Give one for each, or none.`,
    );
  if (o.selfImitation > 0)
    fail(
      name,
      "selfImitation compares returns with one value, and each discount has its own. Leave one out.",
    );
  return targets.streams({ discounts, lambda, ...(weights.length ? { weights } : {}) });
}

/** The critic's scale follows the batch's returns before it is learned from. */
const onItsScale =
  (o: PpoSettings): typeof learnFrom =>
  (how, policy, learned, columns, start, key) => {
    const { return: returns, alive } = columns as { readonly return: Tensor; readonly alive?: Tensor };
    const weights = rescaled(learned.weights, returns, o.popArtRate, alive);
    return learnFrom(how, policy, { ...learned, weights }, columns, start, key);
  };

/** PPO on whole texts: `envs` of them in a batch, with rewards at their ends. */
function textParts(o: PpoSettings, context: Context, name: string): EpisodicParts {
  if (o.values !== "plain")
    fail(
      name,
      `values are for environments that are stepped, and ${context.spec.id} is not. Leave the option out.`,
    );
  if (o.selfImitation > 0)
    fail(
      name,
      `selfImitation is for environments that are stepped, and ${context.spec.id} is not. Leave it out.`,
    );
  return {
    ...criticParts(name, { ...o, texts: o.envs }, context),
    ...learning(o),
    ...(o.credit === "turn" ? { loss: ppoLoss(o, clipped(o.clip), byColumn("opens", valueOf(o))) } : {}),
  };
}

/** How it learns from either. */
const learning = (o: PpoSettings) => ({
  loss: ppoLoss(o, clipped(o.clip)),
  ...(o.maxKl.setting === Number.POSITIVE_INFINITY ? {} : { maxKl: o.maxKl }),
  optimiser: nn.adam({ epsilon: 1e-5 }),
  learningRate: o.learningRate,
  clipNorm: o.clipNorm,
  epochs: o.epochs,
  minibatches: o.minibatches,
  normalise: o.normalise,
});

/** How its critic learns. */
const valueOf = (o: PpoSettings): Term => valueError(o.clipValue ? { clip: o.clip } : {});

/** Its loss, with any way to hold the ratio and to teach the critic. */
export const ppoLoss = (o: PpoSettings, ratio: losses.Ratio, value = valueOf(o)): Term =>
  sum(
    policyGradient({ ratio, clip: o.clip }),
    weighted(o.valueWeight, value),
    minus(o.entropyWeight, entropy()),
    ...(o.klWeight.setting === 0 ? [] : [weighted(o.klWeight, movement())]),
  );
