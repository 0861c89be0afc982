import { type Discrete, fail } from "@reins/core";
import type { Body } from "@reins/core/policies";
import type { TransitionColumns } from "@reins/core/replay";
import * as nn from "@reins/nn";
import {
  eq,
  expandDims,
  mean,
  oneHot,
  relu,
  sum,
  type Tensor,
  type Tree,
  transpose,
  where,
} from "@reins/tensor";
import type { RepresentationPenalty } from "../td3/penalty.ts";
import { bestAllowed, type Values } from "./greedy.ts";
import type { QNetworkOptions, QParams } from "./network.ts";
import type { AuxiliaryLoss } from "./replay-learner.ts";

/**
 * Linear decomposition of the values of all actions: features of the last hidden layer, [rows, width], and the
 * weights of each action, [actions, width].
 */
export function lastLayer(params: QParams, x: Tensor): { features: Tensor; heads: Tensor } {
  const [hidden, last] = params.advantage as nn.LinearParams[];
  const features = [...(params.body as nn.LinearParams[]), hidden].reduce((y, layer) => {
    const [inputs, outputs] = layer.weight.shape;
    return relu(nn.linear({ inputs, outputs }).apply(layer, y));
  }, x);
  return { features, heads: transpose(last.weight, 0, 1) };
}

/** Network settings that {@link priced} needs. */
export interface PricedOptions {
  readonly space: Discrete;
  readonly network: QNetworkOptions;
  /** The body, which has no trainable weights. */
  readonly body: Body;
  /** A network's outputs for all actions. */
  readonly values: Values;
}

/**
 * A penalty on the representation of a state-action pair and, from the target network, the next greedy pair.
 * Actions share features and have separate weights, so the Bellman equation constrains consecutive features only
 * where both actions are equal: other transitions are not penalised.
 */
export function priced(name: string, penalty: RepresentationPenalty, o: PricedOptions): AuxiliaryLoss {
  const { hidden, dueling, noisy, atoms, implicit } = o.network;
  if (o.body.init || !hidden.length || dueling || noisy || atoms > 1 || implicit)
    fail(
      name,
      "a representation penalty needs flat observations, a hidden layer, and values that are linear in the last hidden layer.",
    );
  return (weights, { target, batch }) => {
    const { observation, next, reward, discount, nextMask } = batch as TransitionColumns;
    const action = (batch.action as Tensor).sub(o.space.start);
    const best = bestAllowed(o.values(target, next), nextMask);
    /** Each row separately, with the weights of its action. */
    const seen = (w: Tree, x: Tree, chosen: Tensor) => {
      const { features, heads } = lastLayer(w as QParams, o.body.apply(undefined, x, 1));
      const own = sum(expandDims(oneHot(chosen, o.space.n), 2).mul(expandDims(heads, 0)), 1);
      return { features: expandDims(features, 1), head: own };
    };
    const price = penalty({
      now: seen(weights, observation, action),
      next: seen(target, next, best),
      reward: expandDims(reward, 1),
      discount: expandDims(discount, 1),
    });
    return mean(where(expandDims(eq(action, best), 1), price, 0));
  };
}
