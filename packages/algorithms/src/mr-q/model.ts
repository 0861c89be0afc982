import type { EnvSpec } from "@reins/core";
import { type BodyOptions, bodyFor } from "@reins/core/policies";
import * as nn from "@reins/nn";
import {
  concat,
  elu,
  layerNorm,
  ones,
  random,
  relu,
  slice,
  type Tensor,
  type Tree,
  zeros,
} from "@reins/tensor";

/** Widths of the networks. */
export interface Widths {
  /** Width of embeddings and of all hidden layers. */
  readonly width: number;
  /** Width of the action embedding. */
  readonly actionWidth: number;
}

type Activate = (x: Tensor) => Tensor;

/** A layer norm without parameters, then an activation. */
const normed =
  (activate: Activate): Activate =>
  (x) => {
    const width = x.shape[x.rank - 1];
    return activate(layerNorm(x, ones([width]), zeros([width]), 1e-5));
  };

/** A linear layer with this model's weight initialisation. */
const linear = (inputs: number, outputs: number) =>
  nn.linear({ inputs, outputs, weightInit: nn.init.xavierUniform(Math.SQRT2), biasInit: nn.init.zeros });

/** Two hidden layers and a linear output layer. */
function perceptron(
  inputs: number,
  width: number,
  outputs: number,
  activate: Activate = elu,
): nn.Layer<Tree> {
  const between = normed(activate);
  return nn.sequential(
    linear(inputs, width),
    between,
    linear(width, width),
    between,
    linear(width, outputs),
  ) as nn.Layer<Tree>;
}

/** Predictions from a state-action embedding. */
export interface Forecast {
  /** Termination, [rows, 1]: about 0 or 1. */
  readonly done: Tensor;
  /** The next state's embedding. */
  readonly next: Tensor;
  /** Logits of the reward bins. */
  readonly reward: Tensor;
}

/** State encoder and state-action encoder, whose embedding predicts the future linearly. */
export interface Model {
  init(key: Tensor): Tree;
  /** [leading axes, …] to [leading axes, width]. */
  state(weights: Tree, observation: Tree, leading: number): Tensor;
  /** Embedding of embedded states with actions between -1 and 1. */
  pair(weights: Tree, state: Tensor, action: Tensor): Tensor;
  forecast(weights: Tree, pair: Tensor): Forecast;
}

/** The model for an environment. */
export function modelFor(
  spec: EnvSpec,
  o: Widths & BodyOptions,
  { actions, bins }: { readonly actions: number; readonly bins: number },
): Model {
  const { width, actionWidth } = o;
  const body = bodyFor(spec.observation, o);
  const last = normed(elu);
  const parts = {
    seeing: { init: (key: Tensor): Tree => body.init?.(key) ?? {} },
    state: perceptron(body.features, width, width),
    action: linear(actions, actionWidth),
    pair: perceptron(width + actionWidth, width, width),
    forecast: linear(width, 1 + width + bins),
  };
  type Weights = { readonly [K in keyof typeof parts]: Tree } & {
    action: nn.LinearParams;
    forecast: nn.LinearParams;
  };
  return {
    init(key) {
      const entries = Object.entries(parts);
      const keys = random.splitKey(key, entries.length);
      return Object.fromEntries(entries.map(([name, part], i) => [name, part.init(keys[i]) as Tree]));
    },
    state(weights, observation, leading) {
      const own = weights as Weights;
      return last(parts.state.apply(own.state, body.apply(own.seeing, observation, leading)));
    },
    pair(weights, state, action) {
      const own = weights as Weights;
      return parts.pair.apply(own.pair, concat([state, elu(parts.action.apply(own.action, action))], -1));
    },
    forecast(weights, pair) {
      const all = parts.forecast.apply((weights as Weights).forecast, pair);
      return {
        done: slice(all, [null, [0, 1]]),
        next: slice(all, [null, [1, 1 + width]]),
        reward: slice(all, [null, [1 + width, 1 + width + bins]]),
      };
    },
  };
}

/** Two Q-values of embedded states and actions, [2, rows, 1]. */
export const valuesOn = ({ width }: Widths): nn.Layer<Tree> =>
  nn.ensemble(
    nn.sequential(perceptron(width, width, width), normed(elu), linear(width, 1)) as nn.Layer<Tree>,
    {
      members: 2,
    },
  );

/** Pre-tanh actions from embedded states. */
export const actorOn = ({ width }: Widths, actions: number): nn.Layer<Tree> =>
  perceptron(width, width, actions, relu);
