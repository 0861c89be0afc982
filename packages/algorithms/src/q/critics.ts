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

/** Layers with relus in between, and after the last one if `ends`; initialised as in PyTorch. */
export function network(widths: readonly number[], ends = false): nn.Layer<Tree> {
  const layers = widths
    .slice(1)
    .flatMap((outputs, i) => [
      nn.linear({ inputs: widths[i], outputs }),
      ...(ends || i < widths.length - 2 ? (["relu"] as const) : []),
    ]);
  return nn.sequential(...layers) as nn.Layer<Tree>;
}

/** Critics of equal architecture and different initial weights. */
export interface Critics {
  init(key: Tensor): Tree;
  /**
   * Q-values [members, rows], or with atoms or choices, [members, rows, …]. `learn` is the key of random layers in
   * training.
   */
  values(params: Tree, observation: Tree, action?: Tensor, learn?: Tensor): Tensor;
  /** Features in which the values are linear, available with the default layers. */
  represent?(params: Tree, observation: Tree, action: Tensor): LinearFeatures;
}

/** Features of the last hidden layer, [members, rows, width], and the output weights, [members, width]. */
export interface LinearFeatures {
  readonly features: Tensor;
  readonly head: Tensor;
}

/** What critics evaluate: a continuous action of this size, or each of several choices. */
export type Judged = { readonly actions: number } | { readonly choices: number };

/** Settings of an ensemble of critics. */
export interface CriticMake {
  /** Number of critics; 2 by default. */
  readonly members?: number;
  /** Atoms of a distribution per action. Without it, one value. */
  readonly atoms?: number;
  /** The layers of one critic by their widths, from inputs to outputs; relus in between by default. */
  readonly layers?: (widths: readonly number[]) => nn.Layer<Tree>;
  /** Whether these layers need a key, such as dropout. */
  readonly random?: boolean;
}

/** Critics of actions, with inputs from {@link criticInputs} and their own layers. */
export function criticEnsemble(
  spec: EnvSpec,
  o: NetworkOptions,
  judged: Judged,
  { members = 2, atoms, layers = network, random: draws = false }: CriticMake = {},
): Critics {
  const [actions, outputs] = "choices" in judged ? [0, judged.choices] : [judged.actions, atoms ?? 1];
  const inputs = criticInputs(spec, o, { members, actions });
  // One batched matrix product for all critics.
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
      represent(weights: Tree, observation: Tree, action: Tensor): LinearFeatures {
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
        draws && learn ? { key: random.foldKey(learn, "crit") } : undefined,
      );
      return "choices" in judged || atoms !== undefined ? all : reshape(all, all.shape.slice(0, 2));
    },
  };
}

/** Half the squared error between critics and a target, per critic and row. */
export const squaredError = (values: Tensor, target: Tensor): Tensor => mul(square(sub(values, target)), 0.5);

/** The parts of a critic loss. */
export interface CriticLoss {
  readonly valuesOf: (weights: Tree) => Tensor;
  readonly target: Tensor;
  /** Error per critic and row (default: half the squared error). */
  readonly lossOf?: (values: Tensor, target: Tensor) => Tensor;
  /** Added to the errors. */
  readonly penaltyOf?: ((weights: Tree) => Tensor) | undefined;
}

/** Critic loss: the gradient of the summed errors to a target, and its metrics. */
export function criticError(
  weights: Tree,
  { valuesOf, target, lossOf = squaredError, penaltyOf }: CriticLoss,
) {
  const { gradient, aux } = valueAndGradient((w: Tree) => {
    const value = valuesOf(w);
    const loss = lossOf(value, target);
    return [
      mean(sum(penaltyOf ? add(loss, penaltyOf(w)) : loss, 0)),
      { loss: mean(loss), value: mean(value) },
    ] as const;
  })(weights);
  return { gradient, metrics: { "loss/value": aux.loss, "value/mean": aux.value } };
}

/** The minimum of several estimates, against overestimation (Fujimoto et al., 2018). */
export const lowest = (values: Tensor): Tensor => min(values, 0);
