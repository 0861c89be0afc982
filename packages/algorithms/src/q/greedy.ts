import { type Discrete, type Live, type Policy, randomAction } from "@reins/core";
import { add, argmax, lt, random, type Tensor, type Tree, where } from "@reins/tensor";
import type { QParams } from "./network.ts";
import type { ValueForm } from "./value-form.ts";

/** What a network says of all actions. */
export type Values = (weights: QParams, observation: Tree, key?: Tensor) => Tensor;

/** The best allowed action. */
export function best(form: ValueForm, outputs: Tensor, mask?: Tree): Tensor {
  const value = form.mean(outputs);
  return argmax(mask ? where(mask as Tensor, value, -1e30) : value);
}

/** The best action, or with probability epsilon any. */
export function greedy(space: Discrete, form: ValueForm, values: Values, epsilon: Live): Policy {
  return {
    likelihood: "exact",
    init: () => ({}),
    act(weights, { observation, mask }, state, key) {
      const [chance, other, noise] = key ? random.splitKey(key, 3) : [];
      const outputs = values(weights as QParams, observation, noise);
      const action = add(best(form, outputs, mask), space.start);
      if (!key || epsilon.setting === 0) return { action, state };
      const rows = action.shape[0];
      const explore = lt(random.uniform(chance, [rows]), epsilon.tensor);
      return { action: where(explore, randomAction(space, rows, other, mask) as Tensor, action), state };
    },
  };
}
