import { fail, type LossInput, type LossTerm, type ScoringPolicy, type TrainState } from "@reins/core";
import { type Auxiliary, GridWindow, inRows, learnFrom, type Round, targetsOf } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as nn from "@reins/nn";
import { compile, mul, random, square, sub, type Tensor, type Tree } from "@reins/tensor";
import type { AuxiliaryPhaseOptions } from "./options.ts";

const { sum, valueError, weighted } = losses;

/** The auxiliary phase every `auxiliaryEvery` rounds, from all of their steps. */
export function auxiliaryPhase(
  o: AuxiliaryPhaseOptions,
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
    loss: sum(auxiliaryValueError, weighted(o.cloneWeight, divergence), valueError()),
    optimiser: adam,
    learningRate: o.auxiliaryRate,
    clipNorm: o.clipNorm,
    epochs,
    minibatches,
    normalise: "none",
  } as const;
  const update = compile(
    (given: TrainState, seen: typeof grid, upcoming: typeof rollout.upcoming, key: Tensor, count: Tensor) => {
      const played = { policy, grid: seen, upcoming };
      const { state, metrics } = learnFrom(learning, {
        policy: withDivergence(policy, given.weights, parts.name),
        learned: given,
        columns: inRows(policy, targetsOf(parts, given.weights, played)),
        key: random.foldKey(key, count),
      });
      const { "loss/auxiliary": loss, "policy/auxiliary-kl": kl } = metrics;
      return { state, metrics: { "loss/auxiliary": loss, "policy/auxiliary-kl": kl } };
    },
    { name: `${parts.name} auxiliary phase`, donate: [0], host: true },
  ).bind(
    { weights: learned.weights, optimiser },
    grid,
    rollout.upcoming,
    random.foldKey(learnKey, "aux1"),
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
function withDivergence(policy: ScoringPolicy, weights: Tree, name: string): ScoringPolicy {
  return {
    ...policy,
    score(now, moment) {
      const scored = policy.score(now, moment);
      const kl =
        policy.divergence?.(weights, now, moment) ??
        fail(name, "the policy has no KL divergence. Implement `divergence`.");
      return { ...scored, extra: { ...scored.extra, divergence: kl } };
    },
  };
}

const extraOf = ({ scored }: LossInput, name: string): Tensor =>
  scored.extra?.[name] ?? fail("ppg", `the policy scores have no ${name}.`);

/** Half the squared error of the policy network's return prediction. */
const auxiliaryValueError: LossTerm = {
  value(input) {
    const error = sub(extraOf(input, "auxiliary"), input.columns.return as Tensor);
    const loss = mul(square(error), 0.5);
    input.report("loss/auxiliary", loss);
    return loss;
  },
};

/** KL divergence of the policy since the phase began. */
const divergence: LossTerm = {
  value(input) {
    const kl = extraOf(input, "divergence");
    input.report("policy/auxiliary-kl", kl);
    return kl;
  },
};
