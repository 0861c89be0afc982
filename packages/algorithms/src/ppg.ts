import {
  choice,
  define,
  fail,
  type LossInput,
  type LossTerm,
  type ResolvedOptions,
  type ScoringPolicy,
  setting,
  size,
  type TrainState,
} from "@reins/core";
import {
  type Auxiliary,
  GridWindow,
  inRows,
  learnFrom,
  type OnPolicyParts,
  onPolicy,
  type Round,
  targetsOf,
} from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import * as nn from "@reins/nn";
import { compile, mul, random, square, sub, type Tensor, type Tree } from "@reins/tensor";
import * as rows from "./options.ts";

const { clipped, entropy, minus, policyGradient, sum, valueError, weighted } = losses;

const options = {
  learningRate: setting(5e-4, "Learning rate. Higher learns faster until it diverges (1e-4 to 3e-3).", {
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
  cloneWeight: setting(
    1,
    "Auxiliary phase: weight of the KL penalty that keeps the policy. Higher changes the policy less (0.3 to 3).",
    { per: "token", within: "nonnegative" },
  ),
  auxiliaryRate: setting(
    5e-4,
    "Auxiliary phase: learning rate. Higher learns faster until it diverges (1e-4 to 3e-3).",
    { within: "nonnegative" },
  ),
  auxiliaryEvery: size(
    32,
    "Policy-phase rounds between auxiliary phases. More disturbs the policy less often (8 to 64).",
    { within: "count" },
  ),
  auxiliaryEpochs: size(
    6,
    "Auxiliary phase: epochs over all steps since the last one. More learns more from them (3 to 9).",
    { within: "count" },
  ),
  auxiliaryMinibatches: size(
    16,
    "Auxiliary phase: minibatches per epoch. More gives more, noisier updates (4 to 64).",
    {
      within: "count",
    },
  ),
  envs: size(8, "Parallel environments. More gives more varied batches (4 to 4096).", {
    within: "count",
  }),
  steps: size(
    128,
    "Steps of each environment between updates. More gives better advantages, fewer updates (16 to 2048).",
    { within: "count" },
  ),
  epochs: size(
    1,
    "Policy phase: epochs over each batch. More learns more from it and moves further (1 to 4).",
    {
      within: "count",
    },
  ),
  minibatches: size(4, "Policy phase: minibatches per epoch. More gives more, noisier updates (1 to 64).", {
    within: "count",
  }),
  ...rows.actor,
  normalise: choice<"minibatch" | "batch" | "none">(
    "minibatch",
    ["minibatch", "batch", "none"],
    "Scope of advantage normalisation (mean 0, standard deviation 1).",
  ),
};
type Options = ResolvedOptions<typeof options>;

/**
 * Phasic Policy Gradient (Cobbe et al., 2021): PPO rounds with separate networks, and an occasional auxiliary
 * phase in which the policy network learns to predict returns under a KL penalty that keeps the policy.
 */
export const ppg = define({
  name: "ppg",
  summary:
    "PPO with a separate critic, whose value function is distilled into the policy network in auxiliary phases.",
  paper: "Phasic Policy Gradient (Cobbe et al., 2021)",
  options,
  parts: (o, context, name): OnPolicyParts => ({
    name,
    policy: actorCritic(context.spec, { ...o, apart: true, auxiliary: true }),
    target: targets.gae({ gamma: o.gamma, lambda: o.lambda }),
    loss: sum(
      policyGradient({ ratio: clipped(o.clip), clip: o.clip }),
      weighted(o.valueWeight, valueError()),
      minus(o.entropyWeight, entropy()),
    ),
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    envs: o.envs,
    steps: o.steps,
    epochs: o.epochs,
    minibatches: o.minibatches,
    normalise: o.normalise,
    beside: (round) => auxiliaryPhase(o, round),
  }),
  begin: onPolicy,
});

/** Separates the key of the auxiliary phase from the key of the rounds. */
const drawing = 0x61757831;

/** The auxiliary phase every `auxiliaryEvery` rounds, from all of their steps. */
function auxiliaryPhase(
  o: Options,
  { parts, policy, rollout, learned, learnKey, updates }: Round,
): Auxiliary {
  const { auxiliaryEvery, auxiliaryEpochs: epochs, auxiliaryMinibatches: minibatches } = o;
  const { envs, steps } = o;
  if ((envs * steps * auxiliaryEvery) % minibatches !== 0)
    fail(
      parts.name,
      `${envs * steps * auxiliaryEvery} steps cannot be split into ${minibatches} equal minibatches. Make envs × steps × auxiliaryEvery a multiple of ${minibatches}.`,
    );
  const window = new GridWindow(rollout.columns, auxiliaryEvery);
  // The buffer is full in every auxiliary phase; only steps masked by the environment are excluded.
  const { alive, ...played } = window.columns;
  const grid = rollout.columns.alive ? window.columns : played;
  const adam = nn.adam({ epsilon: 1e-5 });
  const optimiser = adam.init(learned.weights);
  const learning = {
    loss: sum(guessError, weighted(o.cloneWeight, divergence), valueError()),
    optimiser: adam,
    learningRate: o.auxiliaryRate,
    clipNorm: o.clipNorm,
    epochs,
    minibatches,
    normalise: "none",
  } as const;
  const update = compile(
    (given: TrainState, seen: typeof grid, last: typeof rollout.upcoming, key: Tensor, count: Tensor) => {
      const columns = inRows(policy, targetsOf(parts, policy, given.weights, seen, last, {}));
      const held = heldBy(policy, given.weights, parts.name);
      const { state, metrics } = learnFrom(learning, held, given, columns, {}, random.foldKey(key, count));
      const { "loss/auxiliary": loss, "policy/auxiliary-kl": kl } = metrics;
      return { state, metrics: { "loss/auxiliary": loss, "policy/auxiliary-kl": kl } };
    },
    { name: `${parts.name} auxiliary phase`, donate: [0] },
  ).bind(
    { weights: learned.weights, optimiser },
    grid,
    rollout.upcoming,
    random.foldKey(learnKey, drawing),
    updates,
  );
  const { metrics } = update.result;
  return {
    metrics,
    // Metrics of the last auxiliary phase are reported until the next one.
    parts: { window, auxiliary: { optimiser, metrics } },
    learn() {
      window.push();
      if (updates.data[0] % auxiliaryEvery === 0) update.run();
    },
  };
}

/** A policy that also measures its KL divergence from itself with these weights. */
function heldBy(policy: ScoringPolicy, weights: Tree, name: string): ScoringPolicy {
  return {
    ...policy,
    score(now, moment) {
      const scored = policy.score(now, moment);
      const from =
        policy.divergence?.(weights, now, moment) ??
        fail(name, "the policy has no KL divergence. Implement `divergence`.");
      return { ...scored, extra: { ...scored.extra, divergence: from } };
    },
  };
}

const extraOf = ({ scored }: LossInput, name: string): Tensor =>
  scored.extra?.[name] ?? fail("ppg", `the policy scores have no ${name}.`);

/** Half the squared error of the policy network's return prediction. */
const guessError: LossTerm = {
  value(material) {
    const error = sub(extraOf(material, "auxiliary"), material.columns.return as Tensor);
    const loss = mul(square(error), 0.5);
    material.report("loss/auxiliary", loss);
    return loss;
  },
};

/** KL divergence of the policy since the phase began. */
const divergence: LossTerm = {
  value(material) {
    const kl = extraOf(material, "divergence");
    material.report("policy/auxiliary-kl", kl);
    return kl;
  },
};
