import {
  bodyFor,
  byPriority,
  type Context,
  type Discrete,
  define,
  type Given,
  improve,
  type Learned,
  type Learner,
  nStep,
  type OffPolicyParts,
  offPolicy,
  onBody,
  replay,
  setting,
  size,
  type TransitionColumns,
  transitions,
  unlearned,
  when,
} from "@reins/core";
import * as nn from "@reins/nn";
import {
  maximum,
  oneHot,
  random,
  scalar,
  type Tensor,
  type Tree,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import * as rows from "./options.ts";
import { best, explorationRows, greedy, type Values } from "./q/greedy.ts";
import { networkRows, qNetwork } from "./q/network.ts";
import { type Comparison, distributionRows, valueForm } from "./q/value-form.ts";

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
  ...rows.replayed({ batch: 128, capacity: 10_000, trainEvery: 10 }),
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
  parts: (o, context) => dqnParts(o, context),
  begin: offPolicy,
});

/** Online and target network, and the number of updates. */
type State = { online: Learned; target: Tree; count: Tensor };

/** The parts of DQN, for methods that replace one of them; `compare` replaces its loss. */
export function dqnParts(
  o: DqnSettings,
  { spec, seed }: Context,
  compare?: Comparison,
): OffPolicyParts<State> {
  const space = spec.action as Discrete;
  const form = valueForm(o);
  const body = bodyFor(spec.observation, o);
  const outputs = { actions: space.n, atoms: form.atoms };
  const network = onBody(body, qNetwork({ ...o, ...outputs, inputs: body.features }));
  const values: Values = (w, observation, key, learn) =>
    network.apply(w, observation, o.noisy ? { key, learn } : { learn });
  const optimiser = nn.adam();
  /** The outputs of one action of each row. */
  const of = (outputs: Tensor, action: Tensor) => {
    const chosen = oneHot(action, space.n);
    return outputs.mul(form.atoms === 1 ? chosen : chosen.reshape([...chosen.shape, 1])).sum(1);
  };
  const learner: Learner<State, TransitionColumns> = {
    reads: transitions,
    init(key) {
      const online = network.init(key);
      const target = treeMap((t) => t.add(0), online);
      return { online: unlearned(online, optimiser), target, count: scalar(0, "i32") };
    },
    acting: (state) => state.online.weights,
    update({ online, target, count }, batch, { key, weight }) {
      const { observation, action, reward, discount, next, nextMask } = batch;
      const [k1, k2, k3] = random.splitKey(key, 3);
      const following = values(target, next, k1);
      const chosen = best(form, o.double ? values(online.weights, next, k2) : following, nextMask);
      const goal = of(following, chosen);
      const taken = (action as Tensor).sub(space.start);

      const { gradient, aux } = valueAndGradient((w: Tree) => {
        const predicted = of(values(w, observation, k3, k3), taken);
        const { loss, error } = compare
          ? compare({
              online: { state: () => values(w, observation, k3, k3), next: () => values(w, next, k2) },
              target: { state: () => values(target, observation, k1), next: () => following },
              action: taken,
              reward,
              discount,
              nextMask,
            })
          : form.compare(predicted, goal, reward, discount);
        return [
          (weight ? loss.mul(weight) : loss).mean(),
          { loss, error, value: form.mean(predicted) },
        ] as const;
      })(online.weights);
      const { learned, norm } = improve(online, gradient, { ...o, optimiser });

      const counted = count.add(1);
      const period = maximum(o.targetEvery.tensor.round().cast("i32"), 1);
      const followed = when(
        counted.mod(period).eq(0),
        (t) => nn.polyak(t, learned.weights, o.tau.tensor),
        target,
      );
      return {
        state: { online: learned, target: followed, count: counted },
        metrics: {
          "loss/value": aux.loss.mean(),
          "value/mean": aux.value.mean(),
          ...(norm ? { "gradient/norm": norm } : {}),
        },
        errors: aux.error,
      };
    },
  };
  return {
    ...o,
    name: "dqn",
    policy: greedy(space, form, values, o.epsilon, o.hold),
    learner,
    replay: replay({
      capacity: o.capacity,
      record: nStep({ steps: o.nStep, gamma: o.gamma }),
      choose: o.prioritised ? byPriority({ alpha: o.alpha, beta: o.beta, seed }) : undefined,
    }),
  };
}
