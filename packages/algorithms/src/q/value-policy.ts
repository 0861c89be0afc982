import type { Discrete, EnvSpec, Policy } from "@reins/core";
import { type BodyOptions, bodyFor, bodyLayer } from "@reins/core/policies";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import {
  add,
  cast,
  div,
  log,
  max,
  maximum,
  mul,
  neg,
  oneHot,
  ones,
  sub,
  sum,
  type Tensor,
  type Tree,
  where,
} from "@reins/tensor";
import { ofAction } from "./bootstrap.ts";
import { allowed, bestAllowed, greedy, type Values } from "./greedy.ts";

/** Settings of {@link valuePolicy}. */
export interface ValuePolicyOptions extends BodyOptions {
  readonly epsilon: LiveValue;
  readonly hidden: readonly number[];
}

/**
 * A Q-network as a policy for on-policy loops, with epsilon-greedy actions. Its value of a state is that of the
 * best action, which targets use; its value of a recorded step is that of the taken action, which is trained. A
 * layer norm before each activation keeps it stable without a target network (Gallici et al., 2024).
 */
export function valuePolicy(spec: EnvSpec, o: ValuePolicyOptions): Policy {
  const space = spec.action as Discrete;
  const body = bodyFor(spec.observation, o);
  const network = bodyLayer(
    body,
    nn.mlp({
      inputs: body.features,
      hidden: o.hidden,
      outputs: space.n,
      activation: "relu",
      normalise: true,
    }) as nn.Layer<Tree>,
  );
  const values: Values = (weights, observation, _, learn) => network.apply(weights, observation, { learn });
  const acting = greedy({ space, values, epsilon: o.epsilon });
  const valueOf = (weights: Tree, observation: Tree, mask?: Tree) =>
    max(allowed(values(weights, observation), mask), -1);
  return {
    ...acting,
    likelihood: "exact",
    ...(body.random ? { random: true } : {}),
    init: network.init,
    act: (weights, view, state, key) => ({
      ...acting.act(weights, view, state, key),
      value: valueOf(weights, view.observation, view.mask),
    }),
    value: (weights, { observation, mask }) => valueOf(weights, observation, mask),
    score(weights, { view, action, key }) {
      const q = values(weights, view.observation, undefined, key);
      const taken = sub(action as Tensor, space.start);
      const chances = epsilonGreedyChances(q, o.epsilon.tensor, view.mask);
      return {
        value: ofAction(q, taken),
        logProb: log(ofAction(chances, taken)),
        entropy: neg(sum(mul(chances, log(maximum(chances, 1e-30))), -1)),
      };
    },
  };
}

/** Probabilities of an epsilon-greedy policy over allowed actions. */
export function epsilonGreedyChances(q: Tensor, epsilon: Tensor, mask?: Tree): Tensor {
  const may = mask ? cast(mask as Tensor, "f32") : ones(q.shape);
  const any = div(mul(may, epsilon), sum(may, { axis: -1, keepDims: true }));
  return add(any, where(oneHot(bestAllowed(q, mask), q.shape[1]).gt(0), sub(1, epsilon), 0));
}
