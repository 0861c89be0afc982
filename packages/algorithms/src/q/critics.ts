import type { EnvSpec } from "@reins/core";
import * as nn from "@reins/nn";
import {
  mean,
  min,
  mul,
  random,
  reshape,
  square,
  sub,
  sum,
  type Tensor,
  type Tree,
  valueAndGradient,
} from "@reins/tensor";
import { criticInputs, type NetworkOptions } from "./critic-inputs.ts";

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

/** Critics of equal make and different first weights. */
export interface Critics {
  init(key: Tensor): Tree;
  /** [members, rows], or with several numbers for an action, or with choices, [members, rows, …]. Where they learn, they draw from `learn`. */
  values(params: Tree, observation: Tree, action?: Tensor, learn?: Tensor): Tensor;
}

/** What critics judge: an action of so many numbers, or each of so many choices. */
export type Judged = { readonly actions: number } | { readonly choices: number };

/** What differs between the critics of one method and another's. */
export interface CriticMake {
  /** How many there are; 2 by default. */
  readonly members?: number;
  /** Numbers that each gives for an action: the atoms of a distribution. Without it, one value. */
  readonly atoms?: number;
  /** The layers of one of them by their widths, from inputs to outputs; relus in between by default. */
  readonly layers?: (widths: readonly number[]) => nn.Layer<Tree>;
  /** Whether these layers draw from a key, such as dropout. */
  readonly random?: boolean;
}

/** Critics of actions: they see as {@link criticInputs} says, and have layers of their own. */
export function criticEnsemble(
  spec: EnvSpec,
  o: NetworkOptions,
  judged: Judged,
  { members = 2, atoms, layers = network, random: draws = false }: CriticMake = {},
): Critics {
  const [actions, outputs] = "choices" in judged ? [0, judged.choices] : [judged.actions, atoms ?? 1];
  const inputs = criticInputs(spec, o, { members, actions });
  // One batched product for all.
  const heads = nn.ensemble(layers([inputs.width, ...inputs.hidden, outputs]), {
    members,
    separateInputs: inputs.separate,
  });
  return {
    init: (key) => inputs.init(key, heads.init),
    values(weights, observation, action, learn) {
      const { body, critics } = inputs.parts(weights);
      const joined = inputs.join(body, observation, action, learn);
      const all = heads.apply(
        critics,
        joined,
        draws && learn ? { key: random.foldKey(learn, dropping) } : undefined,
      );
      return "choices" in judged || atoms !== undefined ? all : reshape(all, all.shape.slice(0, 2));
    },
  };
}

/** Tells what critics draw from what else is drawn from the same key. */
const dropping = 0x63726974;

/** Half the squared distance of critics from a goal, for each of them and each row. */
export const squaredError = (values: Tensor, goal: Tensor): Tensor => mul(square(sub(values, goal)), 0.5);

/** How far critics are from a goal: the gradient of the sum of what they lose, and what is measured of it. */
export function criticError(
  weights: Tree,
  valuesOf: (weights: Tree) => Tensor,
  goal: Tensor,
  lossOf: (values: Tensor, goal: Tensor) => Tensor = squaredError,
) {
  const { gradient, aux } = valueAndGradient((w: Tree) => {
    const value = valuesOf(w);
    const loss = lossOf(value, goal);
    return [mean(sum(loss, 0)), { loss: mean(loss), value: mean(value) }] as const;
  })(weights);
  return { gradient, metrics: { "loss/value": aux.loss, "value/mean": aux.value } };
}

/** The lowest of several estimates: less optimistic than any one of them (Fujimoto et al., 2018). */
export const lowest = (values: Tensor): Tensor => min(values, 0);
