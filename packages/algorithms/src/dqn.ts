import {
  type AlgorithmContext,
  type Discrete,
  define,
  type ResolvedOptions,
  setting,
  size,
} from "@reins/core";
import { type OffPolicyParts, offPolicy } from "@reins/core/loops";
import { bodyFor, bodyLayer } from "@reins/core/policies";
import { prioritisedSampler, replay } from "@reins/core/replay";
import * as nn from "@reins/nn";
import { withAugmentation } from "./images/augment.ts";
import { type AuxiliaryTraining, teaching } from "./images/auxiliary-training.ts";
import * as rows from "./options.ts";
import { bestNext, type QBootstrap } from "./q/bootstrap.ts";
import { distributionRows, valueForm } from "./q/distribution.ts";
import { explorationRows, greedy, type Values } from "./q/greedy.ts";
import { networkRows, qNetwork } from "./q/network.ts";
import type { ObservationViews } from "./q/observation-views.ts";
import { recordOf } from "./q/record.ts";
import { type ReplayState, replayLearner } from "./q/replay-learner.ts";
import { priced } from "./q/representation-penalty.ts";
import type { Comparison, Use, ValueForm } from "./q/value-form.ts";
import type { RepresentationPenalty } from "./td3/penalty.ts";

const options = {
  learningRate: setting(2.5e-4, "Learning rate. Higher learns faster until it diverges (1e-5 to 1e-3).", {
    within: "nonnegative",
  }),
  gamma: rows.discount(),
  ...explorationRows,
  ...rows.targetNetwork,
  clipNorm: setting(
    10,
    "Maximum gradient norm; Infinity disables clipping. Lower is steadier and slower (0.5 to 10).",
    { within: "positive" },
  ),
  adamEpsilon: size(
    1e-8,
    "Epsilon of Adam. Higher damps updates of weights with small gradients (1e-8 to 3e-4).",
    { within: "positive" },
  ),
  ...rows.replayed({ batch: 128, capacity: 10_000, trainEvery: 10 }),
  ...rows.hindsight,
  ...rows.augment,
  double: size(
    true,
    "Double Q-learning: the online network chooses the next action, the target network evaluates it. Less overestimation (van Hasselt et al., 2016).",
  ),
  ...networkRows,
  ...rows.prioritised,
  ...distributionRows,
  hidden: rows.hidden([120, 84]),
  ...rows.body,
};

/** DQN's live settings. */
export type DqnSettings = ResolvedOptions<typeof options>;

/**
 * Deep Q-learning (Mnih et al., 2015) with the improvements of Rainbow (Hessel et al., 2018), each with its own
 * switch.
 */
export const dqn = define({
  name: "dqn",
  summary:
    "Learns the value of each action from a replay buffer: sample-efficient for small discrete action spaces.",
  paper: "Human-level control through deep reinforcement learning (Mnih et al., 2015)",
  options,
  actions: ["discrete"],
  parts: (o, context, name) => dqnParts(o, context, name),
  begin: offPolicy,
});

/** Parts that a variant of DQN can replace: its loss, its bootstrap target or its optimiser. */
export interface DqnReplacements extends AuxiliaryTraining {
  /** Interpretation of the network's outputs, instead of the one chosen by `distribution`. */
  readonly form?: ValueForm;
  /** Penalty on the representation of consecutive states. */
  readonly penalty?: RepresentationPenalty;
  /** Replaces the loss of the value form. */
  readonly compare?: Comparison;
  /** Replaces the value of the best next action. */
  readonly bootstrap?: QBootstrap;
  /** Wraps or replaces Adam. */
  readonly optimiser?: (adam: nn.Optimiser) => nn.Optimiser;
  /** Several views of each observation, whose gradients are computed separately and combined. */
  readonly views?: ObservationViews;
}

/** The parts of DQN, for methods that replace one of them. */
export function dqnParts(
  o: DqnSettings,
  context: AlgorithmContext,
  name = "dqn",
  own: DqnReplacements = {},
): OffPolicyParts<ReplayState> {
  const { spec, seed } = context;
  const space = spec.action as Discrete;
  const form = own.form ?? valueForm(o, name);
  const adam = nn.adam({ epsilon: o.adamEpsilon });
  const body = bodyFor(spec.observation, o);
  const shape = { ...o, actions: space.n, atoms: form.atoms, inputs: body.features };
  /** The network for each use. All uses share their weights. */
  const networkFor = (use: Use) => {
    const count = form.fractions?.[use];
    const implicit = count ? { use, count, cosines: o.cosines } : undefined;
    return bodyLayer(body, qNetwork({ ...shape, implicit }));
  };
  const valuesFor = (use: Use): Values => {
    const network = networkFor(use);
    return (w, observation, key, learn) =>
      network.apply(w, observation, o.noisy || form.fractions ? { key, learn } : { learn });
  };
  return {
    ...o,
    name,
    policy: greedy({ space, form, values: valuesFor("choice"), epsilon: o.epsilon, maxRepeat: o.maxRepeat }),
    learner: withAugmentation(
      replayLearner({
        ...o,
        ...teaching(name, own, { body, network: networkFor("prediction"), spec }),
        ...(own.penalty && {
          beside: priced(name, own.penalty, { space, network: shape, body, values: valuesFor("choice") }),
        }),
        form,
        valuesFor,
        bootstrap: own.bootstrap ?? bestNext(o.double),
        compare: own.compare,
        start: space.start,
        optimiser: own.optimiser?.(adam) ?? adam,
        views: own.views,
      }),
      o.augment,
    ),
    replay: replay({
      capacity: o.capacity,
      record: recordOf(name, o, context),
      choose: o.prioritised ? prioritisedSampler({ alpha: o.alpha, beta: o.beta, seed }) : undefined,
    }),
  };
}
