import { type AlgorithmContext, define, fail, type Learner, type TrainState, when } from "@reins/core";
import { copyOf } from "@reins/core/forms";
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
  valueAndGradient,
} from "@reins/tensor";
import { withAugmentation } from "./images/augment.ts";
import { criticEnsemble, criticError, lowest } from "./q/critics.ts";
import { type Aiming, aiming, noisyPolicy } from "./q/deterministic.ts";
import { recordOf } from "./q/record.ts";
import { type Td3Settings, td3Options } from "./td3/options.ts";
import type { RepresentationPenalty } from "./td3/penalty.ts";

/** Twin delayed deep deterministic policy gradient (Fujimoto et al., 2018). */
export const td3 = define({
  name: "td3",
  summary:
    "Deterministic actor trained against twin critics: sample-efficient for continuous actions with dense rewards.",
  paper: "Addressing Function Approximation Error in Actor-Critic Methods (Fujimoto et al., 2018)",
  options: td3Options,
  actions: ["box"],
  parts: (o, context, name) => td3Parts(o, context, name),
  begin: offPolicy,
});

/** Parts that a variant of TD3 can replace. */
export interface Td3Replacements {
  readonly penalty?: RepresentationPenalty;
}

/** The parts of TD3, for methods that add to them. */
export function td3Parts(
  o: Td3Settings,
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
  o: Td3Settings,
  { spec }: AlgorithmContext,
  { actions, init, aim }: Aiming,
  { penalty }: Td3Replacements,
): Learner<State, TransitionColumns> {
  const critics = criticEnsemble(spec, o, { actions: actions.size }, { members: o.critics });
  const optimiser = nn.adam();
  return {
    reads: transitions,
    init(key) {
      const [a, b] = random.splitKey(key);
      const [actor, q] = [init(a), critics.init(b)];
      const slow = {
        actor: initTrainState(actor, optimiser),
        targetActor: copyOf(actor),
        targetCritics: copyOf(q),
      };
      return { slow, critics: initTrainState(q, optimiser), count: scalar(0, "i32") };
    },
    acting: (state) => state.slow.actor.weights,
    update({ slow, critics: q, count }, batch, { key }) {
      const { observation, action, reward, discount, next } = batch;

      // Target policy smoothing: the value of a neighbourhood of the action, not of a peak that may be an error.
      const target = aim(slow.targetActor, next);
      const limit = o.smoothingLimit.tensor;
      const noise = clamp(mul(random.normal(key, target.shape), o.smoothing.tensor), neg(limit), limit);
      const smoothed = clamp(add(target, noise), -1, 1);
      // y = r + γ (1 − d) min Q'(s', a' + ε)
      const y = add(reward, mul(discount, lowest(critics.values(slow.targetCritics, next, smoothed))));

      const valuesOf = (w: Tree) => critics.values(w, observation, actions.inner(action as Tensor), key);
      const { represent } = critics;
      if (penalty && !represent)
        fail("td3", "a representation penalty needs critics with the default hidden layers.");
      const penaltyOf =
        penalty &&
        represent &&
        ((w: Tree) => {
          const now = represent(w, observation, actions.inner(action as Tensor));
          return penalty({ now, next: represent(slow.targetCritics, next, smoothed), reward, discount });
        });
      const { gradient, metrics } = criticError(q.weights, { valuesOf, target: y, penaltyOf });
      const { learned } = optimiserStep(q, gradient, { optimiser, learningRate: o.criticRate });

      /** Maximises the first critic, Q(s, π(s)); then all target networks are updated. */
      const improveActor = (s: Slow): Slow => {
        const { gradient: slope } = valueAndGradient((w: Tree) =>
          neg(mean(slice(critics.values(learned.weights, observation, aim(w, observation, key)), [[0, 1]]))),
        )(s.actor.weights);
        const { learned: actor } = optimiserStep(s.actor, slope, { optimiser, learningRate: o.learningRate });
        return {
          actor,
          targetActor: nn.polyak(s.targetActor, actor.weights, o.tau.tensor),
          targetCritics: nn.polyak(s.targetCritics, learned.weights, o.tau.tensor),
        };
      };
      const counted = add(count, 1);
      const due = eq(mod(counted, o.policyEvery), 0);
      const followed = o.policyEvery === 1 ? improveActor(slow) : when(due, improveActor, slow);
      return {
        state: { slow: followed, critics: learned, count: counted },
        metrics,
      };
    },
  };
}
