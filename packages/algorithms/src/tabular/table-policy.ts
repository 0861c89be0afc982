import type { ActingPolicy, Discrete, EnvSpec, PolicyInput, Space } from "@reins/core";
import type { LiveValue } from "@reins/core/settings";
import { add, argmax, random, type Tensor, type Tree, take, tensor, where } from "@reins/tensor";
import { StateIndex, tracedIndex } from "./state-index.ts";

/** Weights of a tabular policy: the value of each action in each state. */
export type TableWeights = { readonly value: Tensor };

/** The greedy action of a table; epsilon-greedy with a key and an epsilon. */
export function tablePolicy(spec: EnvSpec, epsilon?: LiveValue): ActingPolicy<TableWeights> {
  const { n, start } = spec.action as Discrete;
  return {
    host: true,
    init: () => ({ value: tensor([], { shape: [0, n] }) }),
    act({ value }, view, state, key) {
      const index = statesOf(spec.observation, view);
      const mask = (view.mask as Tensor | undefined)?.data;
      const explore = key && epsilon ? random.uniform(key, [index.length, 2]).data : undefined;
      const action = Int32Array.from(index, (s, row) => {
        const allowed = (a: number) => mask === undefined || mask[row * n + a] !== 0;
        const choices = Array.from({ length: n }, (_, a) => a).filter(allowed);
        if (explore && explore[2 * row] < epsilon!.value)
          return start + choices[Math.floor(explore[2 * row + 1] * choices.length)];
        let best = choices[0];
        for (const a of choices) if (value.data[s * n + a] > value.data[s * n + best]) best = a;
        return start + best;
      });
      return { action: tensor(action, { shape: [index.length], dtype: "i32" }), state };
    },
    best({ value }, { observation, mask }) {
      const values = take(value, tracedIndex(spec.observation, observation));
      const allowed = mask ? where(mask as Tensor, values, Number.NEGATIVE_INFINITY) : values;
      return add(argmax(allowed, -1), start);
    },
  };
}

/** The planned action of a state. */
export function planPolicy(spec: EnvSpec): ActingPolicy<{ readonly action: Tensor }> {
  const { start } = spec.action as Discrete;
  return {
    host: true,
    init: () => ({ action: tensor([], { shape: [0], dtype: "i32" }) }),
    act({ action }, view, state) {
      const chosen = statesOf(spec.observation, view).map((s) => start + action.data[s]);
      return { action: tensor(chosen, { shape: [chosen.length], dtype: "i32" }), state };
    },
    best: ({ action }, { observation }) =>
      add(take(action, tracedIndex(spec.observation, observation)), start),
  };
}

function statesOf(space: Space, { observation, first }: PolicyInput): Int32Array {
  const rows = first?.size ?? (observation as Tensor).size;
  const index = new Int32Array(rows);
  new StateIndex(space, observation as Tree, rows).all(index);
  return index;
}
