import { type Acting, type EnvSpec, flatSize, flatten, type Live } from "@reins/core";
import { add, clamp, mul, type Tensor, type Tree, tanh } from "@reins/tensor";
import { network, type Scaled, scaled } from "./critics.ts";
import { carried, noiseState } from "./noise.ts";

/** An actor without chance: `aim` is its action between -1 and 1. */
export interface Aiming {
  readonly actions: Scaled;
  init(key: Tensor): Tree;
  aim(weights: Tree, observation: Tree): Tensor;
}

/** A network that aims, for the method of this name. */
export function aiming(name: string, spec: EnvSpec, hidden: readonly number[]): Aiming {
  const actions = scaled(name, spec);
  const body = network([flatSize(spec.observation), ...hidden, actions.size]);
  return {
    actions,
    init: body.init,
    aim: (weights, observation) => tanh(body.apply(weights, flatten(spec.observation, observation))),
  };
}

/** The actor with noise on its actions, clipped to the bounds. */
export function noisyPolicy(
  { actions, init, aim }: Aiming,
  { noise: spread, correlation }: { readonly noise: Live; readonly correlation: Live },
): Acting {
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
