import {
  type Context,
  define,
  flatSize,
  flatten,
  type Given,
  nStep,
  type OffPolicyLearner,
  offPolicy,
  type Policy,
  replay,
  setting,
  size,
  type TransitionColumns,
  when,
} from "@reins/core";
import * as nn from "@reins/nn";
import {
  add,
  clamp,
  eq,
  mean,
  mod,
  mul,
  neg,
  random,
  scalar,
  slice,
  square,
  sub,
  sum,
  type Tensor,
  type Tree,
  tanh,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { lower, network, type Scaled, scaled, twinCritics } from "./q/critics.ts";
import { carried, noiseState } from "./q/noise.ts";

const options = {
  learningRate: setting(
    1e-3,
    "Size of the actor's steps. Higher learns faster until it diverges (1e-4 to 1e-3).",
  ),
  criticRate: setting(1e-3, "Size of the critics' steps (3e-4 to 1e-3)."),
  gamma: setting(0.99, "Discount. Higher looks further ahead and varies more (0.9 to 0.999)."),
  tau: setting(
    0.005,
    "How far target networks move at a time. Higher follows faster and less steadily (0.001 to 0.02).",
  ),
  noise: setting(
    0.1,
    "Exploration: spread of the noise on actions, in units of half their range. Higher explores more (0.05 to 0.5).",
  ),
  correlation: setting(
    0,
    "Share of the noise kept from step to step. Higher explores along longer arcs (0 to 0.99).",
  ),
  smoothing: setting(
    0.2,
    "Spread of the noise on the target's actions. Higher trusts narrow peaks of the critics less (0.1 to 0.3).",
  ),
  smoothingLimit: setting(0.5, "Largest such noise (0.3 to 0.5)."),
  policyEvery: size(
    2,
    "Updates of the critics for one of the actor and of the target networks. More lets the critics settle first (1 to 4).",
  ),
  batch: size(256, "Entries in a minibatch. More is steadier and costs more (64 to 512)."),
  capacity: size(100_000, "Transitions remembered. More forgets later and takes more memory (10⁴ to 10⁶)."),
  learningStarts: size(
    1000,
    "Random steps before learning. More gives the first updates more to see (100 to 25000).",
  ),
  envs: size(1, "Environments played at once. More gives fresher, more varied data an update (1 to 64)."),
  trainEvery: size(1, "Steps of each environment between updates (1 to 64, with as many updates)."),
  updates: setting(
    1,
    "Updates at a time. More learns more from each step, until it overfits (0.25 to 4 a step).",
  ),
  nStep: size(
    1,
    "Steps of rewards before the estimate takes over. More carries rewards back faster, with more of old behaviour in them (1 to 5).",
  ),
  hidden: size<readonly number[]>([256, 256], "Widths of the hidden layers, of actor and critics alike."),
};
type Options = Given<typeof options>;

/** Twin delayed deep deterministic policy gradient (Fujimoto et al., 2018). */
export const td3 = define({
  name: "td3",
  summary:
    "Deterministic actor climbing the lower of two critics: sample-efficient for continuous actions with dense rewards.",
  paper: "Addressing Function Approximation Error in Actor-Critic Methods (Fujimoto et al., 2018)",
  options,
  actions: ["box"],
  start(o, context) {
    const actions = scaled("td3", context.spec);
    const body = network([flatSize(context.spec.observation), ...o.hidden, actions.size]);
    const aim = (w: Tree, observation: Tree) =>
      tanh(body.apply(w, flatten(context.spec.observation, observation)));
    return offPolicy(
      {
        ...o,
        name: "td3",
        policy: noisy(o, actions, body.init, aim),
        learner: learner(o, context, actions, body.init, aim),
        replay: replay({ capacity: o.capacity, record: nStep({ steps: o.nStep, gamma: o.gamma }) }),
      },
      context,
    );
  },
});

/** The actor's action between -1 and 1. */
type Aim = (weights: Tree, observation: Tree) => Tensor;

/** The actor with noise, which is clipped to the bounds. */
function noisy(o: Options, actions: Scaled, init: (key: Tensor) => Tree, aim: Aim): Policy {
  return {
    likelihood: "none",
    init,
    start: (rows) => noiseState(rows, actions.size),
    act(weights, { observation, first }, state, key) {
      const best = aim(weights, observation);
      if (!key) return { action: actions.execute(best), state };
      const noise = carried(state, o.correlation, first, key);
      return {
        action: actions.execute(clamp(add(best, mul(noise, o.noise.tensor)), -1, 1)),
        state: { noise },
      };
    },
  };
}

type Slots = nn.OptimiserState<Tree>;
/** What changes only now and then. */
type Slow = { actor: Tree; actorSlots: Slots; targetActor: Tree; targetCritics: Tree };
type State = { slow: Slow; critics: Tree; criticSlots: Slots; count: Tensor };

function learner(
  o: Options,
  { spec }: Context,
  actions: Scaled,
  init: (key: Tensor) => Tree,
  aim: Aim,
): OffPolicyLearner<State> {
  const critics = twinCritics(spec, o.hidden, { actions: actions.size });
  const adam = nn.adam();
  const copy = (tree: Tree) => treeMap((t) => add(t, 0), tree);
  return {
    init(key) {
      const [a, b] = random.splitKey(key);
      const [actor, q] = [init(a), critics.init(b)];
      const slow = { actor, actorSlots: adam.init(actor), targetActor: copy(actor), targetCritics: copy(q) };
      return { slow, critics: q, criticSlots: adam.init(q), count: scalar(0, "i32") };
    },
    acting: (state) => state.slow.actor,
    update({ slow, critics: q, criticSlots, count }, batch, _weight, key) {
      const { observation, action, reward, discount, next } = batch as TransitionColumns;

      // Target policy smoothing: the value of a neighbourhood of the action, not of a peak that may be an error.
      const best = aim(slow.targetActor, next);
      const limit = o.smoothingLimit.tensor;
      const noise = clamp(mul(random.normal(key, best.shape), o.smoothing.tensor), neg(limit), limit);
      const nearby = clamp(add(best, noise), -1, 1);
      const goal = add(reward, mul(discount, lower(critics.values(slow.targetCritics, next, nearby))));

      const { gradient, aux } = valueAndGradient((w: Tree) => {
        const value = critics.values(w, observation, actions.inner(action as Tensor));
        const loss = mul(square(sub(value, goal)), 0.5);
        return [mean(sum(loss, 0)), { loss: mean(loss), value: mean(value) }] as const;
      })(q);
      const moved = adam.update(gradient, criticSlots, q, { learningRate: o.criticRate.tensor });

      /** The actor climbs the first critic; then all targets follow. */
      const improve = (s: Slow): Slow => {
        const { gradient: slope } = valueAndGradient((w: Tree) =>
          neg(mean(slice(critics.values(moved.params, observation, aim(w, observation)), [[0, 1]]))),
        )(s.actor);
        const { params, state } = adam.update(slope, s.actorSlots, s.actor, {
          learningRate: o.learningRate.tensor,
        });
        return {
          actor: params,
          actorSlots: state,
          targetActor: nn.polyak(s.targetActor, params, o.tau.tensor),
          targetCritics: nn.polyak(s.targetCritics, moved.params, o.tau.tensor),
        };
      };
      const counted = add(count, 1);
      const due = eq(mod(counted, o.policyEvery), 0);
      return {
        state: {
          slow: o.policyEvery === 1 ? improve(slow) : when(due, improve, slow),
          critics: moved.params,
          criticSlots: moved.state,
          count: counted,
        },
        metrics: { "loss/value": aux.loss, "value/mean": aux.value },
      };
    },
  };
}
