import {
  bodyFor,
  byPriority,
  type Context,
  type Discrete,
  define,
  type Given,
  type OffPolicyParts,
  offPolicy,
  onBody,
  replay,
  setting,
  size,
} from "@reins/core";
import * as nn from "@reins/nn";
import * as rows from "./options.ts";
import { augmented } from "./pictures/augment.ts";
import { type Teaching, teaching } from "./pictures/teaching.ts";
import { bestNext, type QBootstrap } from "./q/bootstrap.ts";
import { distributionRows, valueForm } from "./q/distribution.ts";
import { explorationRows, greedy, type Values } from "./q/greedy.ts";
import { networkRows, qNetwork } from "./q/network.ts";
import { priced } from "./q/priced.ts";
import { recordOf } from "./q/record.ts";
import { type ReplayState, replayLearner, type Views } from "./q/replay-learner.ts";
import type { Comparison, Use, ValueForm } from "./q/value-form.ts";
import type { RepresentationPenalty } from "./td3.ts";

const options = {
  learningRate: setting(2.5e-4, "Size of a step. Higher learns faster until it diverges (1e-5 to 1e-3).", {
    within: "nonnegative",
  }),
  gamma: rows.discount(),
  ...explorationRows,
  ...rows.targetNetwork,
  clipNorm: setting(
    10,
    "Longest gradient; Infinity leaves gradients as they are. Lower is steadier and slower (0.5 to 10).",
    { within: "positive" },
  ),
  adamEpsilon: size(
    1e-8,
    "Added to the root in Adam's steps. Higher damps weights whose gradients are small (1e-8 to 3e-4).",
    { within: "positive" },
  ),
  ...rows.replayed({ batch: 128, capacity: 10_000, trainEvery: 10 }),
  ...rows.hindsight,
  ...rows.augment,
  double: size(
    true,
    "The online network chooses the next action, the target network values it: less optimism (van Hasselt et al., 2016).",
  ),
  ...networkRows,
  ...rows.prioritised,
  ...distributionRows,
  hidden: rows.hidden([120, 84]),
  ...rows.body,
};

/** DQN's settings, alive. */
export type DqnSettings = Given<typeof options>;

/** Deep Q-learning (Mnih et al., 2015) with the improvements that Rainbow joins (Hessel et al., 2018), each of them a switch. */
export const dqn = define({
  name: "dqn",
  summary:
    "Learns the value of each action from replayed transitions: sample-efficient where actions are few.",
  paper: "Human-level control through deep reinforcement learning (Mnih et al., 2015)",
  options,
  actions: ["discrete"],
  parts: (o, context, name) => dqnParts(o, context, name),
  begin: offPolicy,
});

/** What a method of DQN's may have of its own: a loss, what it learns towards, or how it steps. */
export interface DqnReplacements extends Teaching {
  /** What the network's numbers mean, in the place of what `distribution` says. */
  readonly form?: ValueForm;
  /** What is paid for how the network represents consecutive states. */
  readonly penalty?: RepresentationPenalty;
  /** In the place of the loss of its form of values. */
  readonly compare?: Comparison;
  /** In the place of the best next action's value. */
  readonly bootstrap?: QBootstrap;
  /** Around or in the place of Adam. */
  readonly optimiser?: (adam: nn.Optimiser) => nn.Optimiser;
  /** Several ways to look at each observation, whose gradients are computed apart and joined. */
  readonly views?: Views;
}

/** The parts of DQN, for methods that replace one of them. */
export function dqnParts(
  o: DqnSettings,
  context: Context,
  name = "dqn",
  own: DqnReplacements = {},
): OffPolicyParts<ReplayState> {
  const { spec, seed } = context;
  const space = spec.action as Discrete;
  const form = own.form ?? valueForm(o, name);
  const adam = nn.adam({ epsilon: o.adamEpsilon });
  const body = bodyFor(spec.observation, o);
  const shape = { ...o, actions: space.n, atoms: form.atoms, inputs: body.features };
  /** The network, asked for what a use needs. Its weights are the same for all uses. */
  const networkFor = (use: Use) => {
    const count = form.fractions?.[use];
    const implicit = count ? { use, count, cosines: o.cosines } : undefined;
    return onBody(body, qNetwork({ ...shape, implicit }));
  };
  const look = (use: Use): Values => {
    const network = networkFor(use);
    return (w, observation, key, learn) =>
      network.apply(w, observation, o.noisy || form.fractions ? { key, learn } : { learn });
  };
  return {
    ...o,
    name,
    policy: greedy(space, form, look("choice"), o.epsilon, o.hold),
    learner: augmented(
      replayLearner({
        ...o,
        ...teaching(name, own, { body, network: networkFor("prediction"), spec }),
        ...(own.penalty && {
          beside: priced(name, own.penalty, { space, network: shape, body, values: look("choice") }),
        }),
        form,
        look,
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
      choose: o.prioritised ? byPriority({ alpha: o.alpha, beta: o.beta, seed }) : undefined,
    }),
  };
}
