import {
  type AlgorithmContext,
  define,
  fail,
  type Learner,
  type ResolvedOptions,
  setting,
  size,
  type TrainState,
  when,
} from "@reins/core";
import { initTrainState, type OffPolicyParts, offPolicy, optimiserStep } from "@reins/core/loops";
import { replay, type TransitionColumns, transitions } from "@reins/core/replay";
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
  type Tensor,
  type Tree,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import { withAugmentation } from "./images/augment.ts";
import * as rows from "./options.ts";
import { criticEnsemble, criticError, type LinearFeatures, lowest } from "./q/critics.ts";
import { type Aiming, aiming, noisyPolicy } from "./q/deterministic.ts";
import { recordOf } from "./q/record.ts";

const options = {
  ...rows.actorCritic({ learningRate: 1e-3 }),
  gamma: rows.discount(),
  noise: setting(
    0.1,
    "Exploration: standard deviation of the action noise, in units of half the action range. Higher explores more (0.05 to 0.5).",
    { within: "nonnegative" },
  ),
  smoothing: setting(
    0.2,
    "Target policy smoothing: standard deviation of the noise. Higher relies less on narrow peaks of the critics (0.1 to 0.3).",
    { within: "nonnegative" },
  ),
  smoothingLimit: setting(0.5, "Target policy smoothing: maximum noise (0.3 to 0.5).", {
    within: "nonnegative",
  }),
  policyEvery: size(
    2,
    "Critic updates per update of the actor and the target networks. More lets the critics settle first (1 to 4).",
    { within: "count" },
  ),
  critics: size(
    2,
    "Number of critics; the lowest one is used in TD targets. More is less optimistic (1 to 4).",
    {
      within: "count",
    },
  ),
  ...rows.replayed({ batch: 256, capacity: 100_000, trainEvery: 1 }),
  ...rows.hindsight,
  ...rows.augment,
  hidden: rows.hidden([256, 256], "Widths of the hidden layers of actor and critics."),
  ...rows.body,
};
type Options = ResolvedOptions<typeof options>;

/** Twin delayed deep deterministic policy gradient (Fujimoto et al., 2018). */
export const td3 = define({
  name: "td3",
  summary:
    "Deterministic actor trained against twin critics: sample-efficient for continuous actions with dense rewards.",
  paper: "Addressing Function Approximation Error in Actor-Critic Methods (Fujimoto et al., 2018)",
  options,
  actions: ["box"],
  parts: (o, context, name) => td3Parts(o, context, name),
  begin: offPolicy,
});

/**
 * A critic penalty, [members, rows], on the representation of a state-action pair and, from the target networks,
 * of the next one.
 */
export type RepresentationPenalty = (seen: {
  readonly now: LinearFeatures;
  readonly next: LinearFeatures;
  readonly reward: Tensor;
  readonly discount: Tensor;
}) => Tensor;

/** Parts that a variant of TD3 can replace. */
export interface Td3Replacements {
  readonly penalty?: RepresentationPenalty;
}

/** The parts of TD3, for methods that add to them. */
export function td3Parts(
  o: Options,
  context: AlgorithmContext,
  name = "td3",
  own: Td3Replacements = {},
): OffPolicyParts<State> {
  const actor = aiming(name, context.spec, o);
  return {
    ...o,
    name,
    policy: noisyPolicy(actor, o),
    learner: withAugmentation(learner(o, context, actor, own), o.augment),
    replay: replay({ capacity: o.capacity, record: recordOf(name, o, context) }),
  };
}

/** State with delayed updates. */
type Slow = { actor: TrainState; targetActor: Tree; targetCritics: Tree };
type State = { slow: Slow; critics: TrainState; count: Tensor };

function learner(
  o: Options,
  { spec }: AlgorithmContext,
  { actions, init, aim }: Aiming,
  { penalty }: Td3Replacements,
): Learner<State, TransitionColumns> {
  const critics = criticEnsemble(spec, o, { actions: actions.size }, { members: o.critics });
  const optimiser = nn.adam();
  const copy = (tree: Tree) => treeMap((t) => add(t, 0), tree);
  return {
    reads: transitions,
    init(key) {
      const [a, b] = random.splitKey(key);
      const [actor, q] = [init(a), critics.init(b)];
      const slow = {
        actor: initTrainState(actor, optimiser),
        targetActor: copy(actor),
        targetCritics: copy(q),
      };
      return { slow, critics: initTrainState(q, optimiser), count: scalar(0, "i32") };
    },
    acting: (state) => state.slow.actor.weights,
    update({ slow, critics: q, count }, batch, { key }) {
      const { observation, action, reward, discount, next } = batch;

      // Target policy smoothing: the value of a neighbourhood of the action, not of a peak that may be an error.
      const best = aim(slow.targetActor, next);
      const limit = o.smoothingLimit.tensor;
      const noise = clamp(mul(random.normal(key, best.shape), o.smoothing.tensor), neg(limit), limit);
      const nearby = clamp(add(best, noise), -1, 1);
      const tdTarget = add(reward, mul(discount, lowest(critics.values(slow.targetCritics, next, nearby))));

      const valuesOf = (w: Tree) => critics.values(w, observation, actions.inner(action as Tensor), key);
      const { represent } = critics;
      if (penalty && !represent)
        fail("td3", "a representation penalty needs critics with the default hidden layers.");
      const penaltyOf =
        penalty &&
        represent &&
        ((w: Tree) => {
          const now = represent(w, observation, actions.inner(action as Tensor));
          return penalty({ now, next: represent(slow.targetCritics, next, nearby), reward, discount });
        });
      const { gradient, metrics } = criticError(q.weights, valuesOf, tdTarget, undefined, penaltyOf);
      const { learned: moved } = optimiserStep(q, gradient, { optimiser, learningRate: o.criticRate });

      /** The actor follows the first critic; then all targets are updated. */
      const climb = (s: Slow): Slow => {
        const { gradient: slope } = valueAndGradient((w: Tree) =>
          neg(mean(slice(critics.values(moved.weights, observation, aim(w, observation, key)), [[0, 1]]))),
        )(s.actor.weights);
        const { learned: actor } = optimiserStep(s.actor, slope, { optimiser, learningRate: o.learningRate });
        return {
          actor,
          targetActor: nn.polyak(s.targetActor, actor.weights, o.tau.tensor),
          targetCritics: nn.polyak(s.targetCritics, moved.weights, o.tau.tensor),
        };
      };
      const counted = add(count, 1);
      const due = eq(mod(counted, o.policyEvery), 0);
      const followed = o.policyEvery === 1 ? climb(slow) : when(due, climb, slow);
      return {
        state: { slow: followed, critics: moved, count: counted },
        metrics,
      };
    },
  };
}
