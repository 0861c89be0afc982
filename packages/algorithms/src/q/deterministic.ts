import type { ActingPolicy, EnvSpec } from "@reins/core";
import { bodyFor, bodyLayer } from "@reins/core/policies";
import type { LiveValue } from "@reins/core/settings";
import { add, clamp, mul, type Tensor, type Tree, tanh } from "@reins/tensor";
import { type Scaled, scaled } from "./action-scaling.ts";
import type { NetworkOptions } from "./critic-inputs.ts";
import { network } from "./critics.ts";
import { carried, noiseState } from "./noise.ts";

/** A deterministic actor: `aim` is its action between -1 and 1. */
export interface Aiming {
  readonly actions: Scaled;
  init(key: Tensor): Tree;
  /** `learn` is the key of random layers in training. */
  aim(weights: Tree, observation: Tree, learn?: Tensor): Tensor;
}

/** A deterministic actor network for the method of this name. */
export function aiming(name: string, spec: EnvSpec, o: NetworkOptions): Aiming {
  const actions = scaled(name, spec);
  const body = bodyFor(spec.observation, o);
  const actor = bodyLayer(body, network([body.features, ...o.hidden, actions.size]));
  return {
    actions,
    init: actor.init,
    aim: (weights, observation, learn) => tanh(actor.apply(weights, observation, { learn })),
  };
}

/** The actor with exploration noise, clipped to the action bounds. */
export function noisyPolicy(
  { actions, init, aim }: Aiming,
  { noise: spread, correlation }: { readonly noise: LiveValue; readonly correlation: LiveValue },
): ActingPolicy {
  return {
    init,
    start: (rows) => noiseState(rows, actions.size),
    act(weights, { observation, first }, state, key) {
      const best = aim(weights, observation);
      if (!key) return { action: actions.execute(best), state };
      const noise = carried(state, correlation, first, key);
      return {
        action: actions.execute(clamp(add(best, mul(noise, spread.tensor)), -1, 1)),
        state: { noise },
      };
    },
  };
}
