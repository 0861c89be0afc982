import {
  byPriority,
  type Context,
  choice,
  type Discrete,
  define,
  fail,
  flatSize,
  flatten,
  type Given,
  nStep,
  type OffPolicyLearner,
  offPolicy,
  replay,
  setting,
  signals,
  size,
  type TransitionColumns,
  when,
} from "@reins/core";
import * as nn from "@reins/nn";
import {
  abs,
  add,
  eq,
  maximum,
  mean,
  mod,
  mul,
  oneHot,
  random,
  scalar,
  sub,
  sum,
  type Tensor,
  type Tree,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { applyLoss, checkLoss, type LossGraph } from "./evolution/loss-graph.ts";
import { best, greedy, type Values } from "./q/greedy.ts";
import { type QParams, qNetwork } from "./q/network.ts";
import { categorical, expected, type Penalty, quantiles, type ValueForm } from "./q/value-form.ts";
import { shortened } from "./shortened.ts";

const options = {
  learningRate: setting(2.5e-4, "Size of a step. Higher learns faster until it diverges (1e-5 to 1e-3)."),
  gamma: setting(0.99, "Discount. Higher looks further ahead and varies more (0.9 to 0.999)."),
  epsilon: setting(
    signals.linear(1, 0.05, 0.5),
    "Share of random actions. Higher explores more and plays worse (1 falling to 0.01).",
  ),
  hold: size(
    1,
    "Most steps for which a random action is kept. More explores further where single steps cancel out (1 to 64).",
  ),
  tau: setting(
    1,
    "How far the target network moves to the online one at a time: 1 copies, 0.005 follows slowly.",
  ),
  targetEvery: setting(
    50,
    "Updates between moves of the target network. More is steadier and slower (1 with a small tau; 50 to 10000).",
  ),
  clipNorm: setting(
    10,
    "Longest gradient; Infinity leaves gradients as they are. Lower is steadier and slower (0.5 to 10).",
  ),
  batch: size(128, "Entries in a minibatch. More is steadier and costs more (32 to 512)."),
  capacity: size(10_000, "Transitions remembered. More forgets later and takes more memory (10⁴ to 10⁶)."),
  learningStarts: size(
    1000,
    "Random steps before learning. More gives the first updates more to see (100 to 50000).",
  ),
  envs: size(1, "Environments played at once. More gives fresher, more varied data an update (1 to 64)."),
  trainEvery: size(
    10,
    "Steps of each environment between updates. Fewer learns more from each step and takes longer (1 to 16).",
  ),
  updates: setting(
    1,
    "Updates at a time. More learns more from each step, until it overfits (0.25 to 8 a step).",
  ),
  nStep: size(
    1,
    "Steps of rewards before the estimate takes over. More carries rewards back faster and varies more (1 to 10).",
  ),
  double: size(
    true,
    "The online network chooses the next action, the target network values it: less optimism (van Hasselt et al., 2016).",
  ),
  dueling: size(false, "Apart streams for states and advantages (Wang et al., 2016)."),
  noisy: size(false, "Learned noise in the weights explores, beside epsilon (Fortunato et al., 2018)."),
  prioritised: size(false, "Entries with large errors are learned from more often (Schaul et al., 2016)."),
  alpha: setting(0.6, "Prioritised: how much errors count; 0 is uniform (0.4 to 0.7)."),
  beta: setting(
    signals.linear(0.4, 1),
    "Prioritised: how fully weights make up for the uneven choice (0.4 rising to 1).",
  ),
  distribution: choice<"none" | "categorical" | "quantile">(
    "none",
    ["none", "categorical", "quantile"],
    "What is learned of a return: its mean, or its distribution (C51, QR-DQN).",
  ),
  atoms: size(51, "Numbers for a distribution. More is finer and costs more (21 to 201)."),
  low: size(-10, "Categorical: the lowest return it can express."),
  high: size(10, "Categorical: the highest. Choose both to just hold the discounted returns."),
  loss: size<Penalty | LossGraph>(
    "squared",
    "Of errors. Huber grows less with large ones: steadier with wild rewards, but then rare ones count too little. A graph of operations replaces all of it.",
  ),
  hidden: size<readonly number[]>([120, 84], "Widths of the hidden layers."),
};
type Options = Given<typeof options>;

/** Deep Q-learning (Mnih et al., 2015) with the improvements that Rainbow joins (Hessel et al., 2018), each of them a switch. */
export const dqn = define({
  name: "dqn",
  summary:
    "Learns the value of each action from replayed transitions: sample-efficient where actions are few.",
  paper: "Human-level control through deep reinforcement learning (Mnih et al., 2015)",
  options,
  actions: ["discrete"],
  start,
});

/** Online and target network, optimiser, and the number of updates. */
type State = { online: QParams; target: QParams; optimiser: nn.OptimiserState<QParams>; count: Tensor };

function start(o: Options, context: Context) {
  const { spec, seed } = context;
  const space = spec.action as Discrete;
  const form = formOf(o);
  const network = qNetwork({ ...o, inputs: flatSize(spec.observation), actions: space.n, atoms: form.atoms });
  const values = (w: QParams, observation: Tree, key?: Tensor) =>
    network.apply(w, flatten(spec.observation, observation), o.noisy ? { key } : {});
  return offPolicy(
    {
      ...o,
      name: "dqn",
      policy: greedy(space, form, values, o.epsilon, o.hold),
      learner: learner(o, network, space, form, values),
      replay: replay({
        capacity: o.capacity,
        record: nStep({ steps: o.nStep, gamma: o.gamma }),
        choose: o.prioritised ? byPriority({ alpha: o.alpha, beta: o.beta, seed }) : undefined,
      }),
    },
    context,
  );
}

function formOf(o: Options): ValueForm {
  if (typeof o.loss !== "string") {
    checkLoss(o.loss);
    if (o.distribution !== "none")
      fail("dqn", `a loss given as a graph is of values, not of a ${o.distribution} distribution.`);
    return expected("squared");
  }
  if (o.distribution === "quantile") return quantiles(o);
  if (o.distribution === "none") return expected(o.loss);
  if (!(o.high > o.low) || o.atoms < 2)
    fail(
      "dqn",
      `a distribution over ${o.atoms} returns from ${o.low} to ${o.high} is none. Set low < high, and 2 atoms or more.`,
    );
  return categorical(o);
}

function learner(
  o: Options,
  network: nn.Layer<QParams>,
  space: Discrete,
  form: ValueForm,
  values: Values,
): OffPolicyLearner<State> {
  const optimiser = nn.adam();
  const graph = typeof o.loss === "string" ? undefined : o.loss;
  /** The outputs of one action of each row. */
  const of = (outputs: Tensor, action: Tensor) => {
    const chosen = oneHot(action, space.n);
    return sum(mul(outputs, form.atoms === 1 ? chosen : chosen.reshape([...chosen.shape, 1])), 1);
  };
  return {
    init(key) {
      const online = network.init(key);
      return {
        online,
        target: treeMap((t) => t.add(0), online),
        optimiser: optimiser.init(online),
        count: scalar(0, "i32"),
      };
    },
    acting: (state) => state.online,
    update({ online, target, optimiser: moments, count }, batch, weight, key) {
      const { observation, action, reward, discount, next, nextMask } = batch as TransitionColumns;
      const [k1, k2, k3] = random.splitKey(key, 3);
      const following = values(target, next, k1);
      const chosen = best(form, o.double ? values(online, next, k2) : following, nextMask);
      const goal = of(following, chosen);
      const taken = sub(action as Tensor, space.start);
      if (graph && nextMask) fail("dqn", "a loss given as a graph does not know of forbidden actions.");
      const computed = (w: QParams) => {
        const seen = { state: [observation, k3], next: [next, k2] } as const;
        const q = (weights: "online" | "target", state: "state" | "next") =>
          weights === "online" ? values(w, ...seen[state]) : values(target, seen[state][0], k1);
        const loss = applyLoss(graph!, { q, action: taken, reward, discount });
        return { loss, error: abs(loss) };
      };

      const { gradient, aux } = valueAndGradient((w: QParams) => {
        const predicted = of(values(w, observation, k3), taken);
        const { loss, error } = graph ? computed(w) : form.compare(predicted, goal, reward, discount);
        return [
          mean(weight ? mul(loss, weight) : loss),
          { loss, error, value: form.mean(predicted) },
        ] as const;
      })(online);
      const limit = shortened(gradient, o.clipNorm);
      const moved = optimiser.update(limit.gradient, moments, online, {
        learningRate: o.learningRate.tensor,
      });

      const period = maximum(o.targetEvery.tensor.round().cast("i32"), 1);
      const due = eq(mod(add(count, 1), period), 0);
      const followed = when(due, (t) => nn.polyak(t, moved.params, o.tau.tensor), target);
      return {
        state: { online: moved.params, target: followed, optimiser: moved.state, count: add(count, 1) },
        metrics: { "loss/value": mean(aux.loss), "value/mean": mean(aux.value), ...limit.metrics },
        errors: aux.error,
      };
    },
  };
}
