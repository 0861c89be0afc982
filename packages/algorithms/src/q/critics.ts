import type { EnvSpec } from "@reins/core";
import * as nn from "@reins/nn";
import {
  add,
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

/** Layers with relus in between, and after the last one if it `ends` so; first weights as PyTorch draws them. */
export function network(widths: readonly number[], ends = false): nn.Layer<Tree> {
  const layers = widths
    .slice(1)
    .flatMap((outputs, i) => [
      nn.linear({ inputs: widths[i], outputs }),
      ...(ends || i < widths.length - 2 ? (["relu"] as const) : []),
    ]);
  return nn.sequential(...layers) as nn.Layer<Tree>;
}

/** Critics of equal make and different first weights. */
export interface Critics {
  init(key: Tensor): Tree;
  /** [members, rows], or with several numbers for an action, or with choices, [members, rows, …]. Where they learn, they draw from `learn`. */
  values(params: Tree, observation: Tree, action?: Tensor, learn?: Tensor): Tensor;
  /** What their values are linear in, where their layers are the usual ones. */
  represent?(params: Tree, observation: Tree, action: Tensor): Represented;
}

/** Features of the last hidden layer, [members, rows, width], and the weights that make values of them, [members, width]. */
export interface Represented {
  readonly features: Tensor;
  readonly head: Tensor;
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
  const trunk = nn.ensemble(network([inputs.width, ...inputs.hidden], true), {
    members,
    separateInputs: inputs.separate,
  });
  return {
    init: (key) => inputs.init(key, heads.init),
    ...(layers === network && {
      represent(weights: Tree, observation: Tree, action: Tensor): Represented {
        const { body, critics } = inputs.parts(weights);
        const features = trunk.apply(critics, inputs.join(body, observation, action));
        const last = (critics as nn.LinearParams[])[2 * inputs.hidden.length].weight;
        return { features, head: reshape(last, [members, -1]) };
      },
    }),
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
  penaltyOf?: (weights: Tree) => Tensor,
) {
  const { gradient, aux } = valueAndGradient((w: Tree) => {
    const value = valuesOf(w);
    const loss = lossOf(value, goal);
    return [
      mean(sum(penaltyOf ? add(loss, penaltyOf(w)) : loss, 0)),
      { loss: mean(loss), value: mean(value) },
    ] as const;
  })(weights);
  return { gradient, metrics: { "loss/value": aux.loss, "value/mean": aux.value } };
}

/** The lowest of several estimates: less optimistic than any one of them (Fujimoto et al., 2018). */
export const lowest = (values: Tensor): Tensor => min(values, 0);
