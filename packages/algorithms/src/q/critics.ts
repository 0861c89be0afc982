import { type Box, type EnvSpec, fail, flatSize, flatten, rangeOf } from "@reins/core";
import * as nn from "@reins/nn";
import {
  add,
  concat,
  div,
  mean,
  min,
  mul,
  reshape,
  square,
  sub,
  sum,
  type Tensor,
  type Tree,
  valueAndGradient,
} from "@reins/tensor";

/** Layers with relus in between, first weights as PyTorch draws them. */
export function network(widths: readonly number[]): nn.Layer<Tree> {
  const layers = widths
    .slice(1)
    .flatMap((outputs, i) => [
      nn.linear({ inputs: widths[i], outputs }),
      ...(i < widths.length - 2 ? (["relu"] as const) : []),
    ]);
  return nn.sequential(...layers) as nn.Layer<Tree>;
}

/** Bounded actions as networks see them, between -1 and 1, and as the environment does. */
export interface Scaled {
  readonly size: number;
  execute(inner: Tensor): Tensor;
  inner(executed: Tensor): Tensor;
}

/** How the actions of a box are scaled. */
export function scaled(name: string, spec: EnvSpec): Scaled {
  const space = spec.action as Box;
  if (space.shape.length !== 1)
    fail(name, `${spec.id} has actions of shape [${space.shape}]; ${name} takes flat ones.`);
  const { middle, half } = rangeOf(space);
  return {
    size: space.shape[0],
    execute: (inner) => add(mul(inner, half), middle),
    inner: (executed) => div(sub(executed, middle), half),
  };
}

/** Two critics of equal make and different first weights: the lower one is less optimistic (Fujimoto et al., 2018). */
export interface TwinCritics {
  init(key: Tensor): Tree;
  /** [2, rows]; with `choices`, [2, rows, choices]. */
  values(params: Tree, observation: Tree, action?: Tensor): Tensor;
}

/** Critics of an action, or of each choice if there are `choices`. */
export function twinCritics(
  spec: EnvSpec,
  hidden: readonly number[],
  options: { actions: number } | { choices: number },
): TwinCritics {
  const inputs = flatSize(spec.observation) + ("actions" in options ? options.actions : 0);
  const outputs = "choices" in options ? options.choices : 1;
  // One batched product for both.
  const both = nn.ensemble(network([inputs, ...hidden, outputs]), { members: 2 });
  return {
    init: both.init,
    values(params, observation, action) {
      const seen = flatten(spec.observation, observation);
      const all = both.apply(params, action ? concat([seen, action], 1) : seen);
      return "choices" in options ? all : reshape(all, all.shape.slice(0, 2));
    },
  };
}

/** Half the squared distance of critics from a goal: its gradient, and what is measured of it. */
export function criticError(weights: Tree, valuesOf: (weights: Tree) => Tensor, goal: Tensor) {
  const { gradient, aux } = valueAndGradient((w: Tree) => {
    const value = valuesOf(w);
    const loss = mul(square(sub(value, goal)), 0.5);
    return [mean(sum(loss, 0)), { loss: mean(loss), value: mean(value) }] as const;
  })(weights);
  return { gradient, metrics: { "loss/value": aux.loss, "value/mean": aux.value } };
}

/** The lower of two estimates. */
export const lower = (values: Tensor): Tensor => min(values, 0);
