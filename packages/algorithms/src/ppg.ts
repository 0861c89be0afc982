import {
  type Auxiliary,
  actorCritic,
  define,
  fail,
  GridWindow,
  inRows,
  type LossInput,
  type LossTerm,
  learnFrom,
  losses,
  type OnPolicyParts,
  onPolicy,
  type ResolvedOptions,
  type Round,
  type ScoringPolicy,
  setting,
  size,
  type TrainState,
  targets,
  targetsOf,
} from "@reins/core";
import * as nn from "@reins/nn";
import { compile, mul, random, square, sub, type Tensor, type Tree } from "@reins/tensor";
import * as rows from "./options.ts";

const { clipped, entropy, minus, policyGradient, sum, valueError, weighted } = losses;

const options = {
  learningRate: rows.learningRate(5e-4, "1e-4 to 3e-3"),
  clip: rows.clip,
  ...rows.advantages(0.95),
  ...rows.actorCriticLoss,
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
  ...rows.batchOf(),
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
  normalise: rows.normaliseMinibatches,
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
