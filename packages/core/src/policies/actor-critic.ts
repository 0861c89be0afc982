import { add, concat, matmul, random, split, squeeze, type Tensor, type Tree } from "@reins/tensor";
import type { EnvSpec } from "../env.ts";
import type { View } from "../moment.ts";
import { nn } from "../nn.ts";
import type { Policy } from "../policy.ts";
import { decide, type Opinion, scoreOf } from "./decide.ts";
import { encoderFor } from "./encoder.ts";
import type { HeadOptions } from "./head.ts";
import { headFor } from "./heads.ts";

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
  /** What looks at images; actor and critic share it. */
  encoder?: Tree;
  body?: nn.MlpParams;
  actor: nn.MlpParams;
  critic?: nn.MlpParams;
  head: Tree;
};

/** A policy network and a value network, with the distribution that fits the action space. */
export function actorCritic(spec: EnvSpec, options: ActorCriticOptions = {}): Policy<ActorCriticWeights> {
  const { hidden = [64, 64], activation = "tanh", shared = false, critic: wanted = true } = options;
  const encoder = encoderFor(spec.observation);
  const head = headFor(spec.action, options);
  const inputs = encoder.features;
  const last = hidden[hidden.length - 1] ?? inputs;
  const width = shared ? last : inputs;
  const own = shared ? [] : hidden;
  const body = shared ? nn.mlp({ inputs, hidden, activation }) : undefined;
  // A small last layer: the first policy is nearly uniform, and its first advantages do not commit it.
  const actor = nn.mlp({ inputs: width, hidden: own, outputs: head.outputs, activation, outputGain: 0.01 });
  const critic = wanted ? nn.mlp({ inputs: width, hidden: own, outputs: 1, activation }) : undefined;
  // The actor in two steps, for heads that look at its last hidden layer.
  const trunk = nn.mlp({ inputs: width, hidden: own, activation });
  const final = nn.mlp({ inputs: last, hidden: [], outputs: head.outputs });

  const look = (weights: ActorCriticWeights, view: View): Tensor => {
    const x = encoder.apply(weights.encoder, view.observation, 1);
    return body ? body.apply(weights.body!, x) : x;
  };
  const valueOf = (weights: ActorCriticWeights, x: Tensor) =>
    critic && squeeze(critic.apply(weights.critic!, x), -1);
  const consider = ({ actor: { layers } }: ActorCriticWeights, x: Tensor): Opinion => {
    const features = trunk.apply({ layers: layers.slice(0, -1) }, x);
    return { features, outputs: final.apply({ layers: layers.slice(-1) }, features) };
  };

  /** What actor and critic say. On a shared body both are one product: two thin ones take nearly twice as long. */
  const both = (weights: ActorCriticWeights, x: Tensor): { opinion: Opinion; value?: Tensor } => {
    if (!body || !critic) return { opinion: consider(weights, x), value: valueOf(weights, x) };
    const [a, c] = [weights.actor.layers[0], weights.critic!.layers[0]];
    const out = add(matmul(x, concat([a.weight, c.weight], 1)), concat([a.bias!, c.bias!]));
    const [outputs, value] = split(out, [head.outputs, 1], -1);
    return { opinion: { features: x, outputs }, value: squeeze(value, -1) };
  };

  return {
    likelihood: "exact",
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      return {
        ...(encoder.init ? { encoder: encoder.init(random.foldKey(c, 1)) } : {}),
        ...(body ? { body: body.init(c) } : {}),
        actor: actor.init(a),
        ...(critic ? { critic: critic.init(b) } : {}),
        head: head.init(last),
      };
    },
    ...(head.carried ? { start: (rows: number) => head.carried!.start(rows, last) } : {}),
    act(weights, view, state, key) {
      const { opinion, value } = both(weights, look(weights, view));
      return { ...decide(head, weights.head, opinion, view, state, key), value };
    },
    score(weights, moment) {
      const { opinion, value } = both(weights, look(weights, moment.view));
      return { ...scoreOf(head, weights.head, opinion, moment), value };
    },
    ...(critic
      ? { value: (weights: ActorCriticWeights, view: View) => valueOf(weights, look(weights, view))! }
      : {}),
  };
}
