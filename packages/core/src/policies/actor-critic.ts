import { random, squeeze, type Tensor, type Tree } from "@reins/tensor";
import type { EnvSpec } from "../env.ts";
import { nn } from "../nn.ts";
import type { Policy, View } from "../policy.ts";
import { flatSize, flatten } from "../spaces/flatten.ts";
import { type HeadOptions, headFor } from "./head.ts";

/** Settings of {@link actorCritic}. */
export interface ActorCriticOptions extends HeadOptions {
  /** Widths of the hidden layers ([64, 64] for vectors of a few numbers). */
  hidden?: readonly number[];
  activation?: nn.Activation;
  /** One body for actor and critic: cheaper, but their gradients disturb each other. */
  shared?: boolean;
  /** Leaves the critic out, for methods that need none. */
  critic?: boolean;
}

/** Weights of {@link actorCritic}; with a shared body, `critic` is its last layer only. */
export type ActorCriticWeights = {
  body?: nn.MlpParams;
  actor: nn.MlpParams;
  critic?: nn.MlpParams;
  head: Tree;
};

/** A policy network and a value network on flat observations, with the distribution that fits the action space. */
export function actorCritic(spec: EnvSpec, options: ActorCriticOptions = {}): Policy<ActorCriticWeights> {
  const { hidden = [64, 64], activation = "tanh", shared = false, critic: wanted = true } = options;
  const inputs = flatSize(spec.observation);
  const head = headFor(spec.action, options);
  const width = shared ? hidden[hidden.length - 1] : inputs;
  const own = shared ? [] : hidden;
  const body = shared ? nn.mlp({ inputs, hidden, activation }) : undefined;
  // A small last layer: the first policy is nearly uniform, and its first advantages do not commit it.
  const actor = nn.mlp({ inputs: width, hidden: own, outputs: head.outputs, activation, outputGain: 0.01 });
  const critic = wanted ? nn.mlp({ inputs: width, hidden: own, outputs: 1, activation }) : undefined;

  const features = (weights: ActorCriticWeights, view: View, leading: number): Tensor => {
    const x = flatten(spec.observation, view.observation, { leading });
    return body ? body.apply(weights.body!, x) : x;
  };
  const valueOf = (weights: ActorCriticWeights, x: Tensor) =>
    critic && squeeze(critic.apply(weights.critic!, x), -1);
  const distribution = (weights: ActorCriticWeights, x: Tensor, mask?: Tree) =>
    head.distribution(weights.head, actor.apply(weights.actor, x), mask);

  return {
    likelihood: "exact",
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      return {
        ...(body ? { body: body.init(c) } : {}),
        actor: actor.init(a),
        ...(critic ? { critic: critic.init(b) } : {}),
        head: head.init(),
      };
    },
    act(weights, view, state, key) {
      const x = features(weights, view, 1);
      const d = distribution(weights, x, view.mask);
      const raw = key ? d.sample(key) : d.mode();
      return {
        action: head.execute(raw),
        logProb: d.logProb(raw),
        value: valueOf(weights, x),
        state,
        ...(head.maps ? { trace: raw } : {}),
      };
    },
    evaluate(weights, view, action, trace) {
      const x = features(weights, view, 1);
      const d = distribution(weights, x, view.mask);
      const raw = head.maps ? trace! : action;
      return { logProb: d.logProb(raw), entropy: d.entropy(), value: valueOf(weights, x) };
    },
    ...(critic ? { value: (weights, view) => valueOf(weights, features(weights, view, 1))! } : {}),
  };
}
