import { size } from "@reins/core";
import * as nn from "@reins/nn";
import { add, mean, random, reshape, sub, type Tensor, type Tree, transpose } from "@reins/tensor";
import { cosineEmbedding, fractionsFor } from "./fractions.ts";
import { noisyLinear } from "./noisy-linear.ts";
import type { Use } from "./value-form.ts";

/** Network options. */
export const networkRows = {
  dueling: size(
    false,
    "Dueling network: separate streams for state values and advantages (Wang et al., 2016).",
  ),
  noisy: size(
    false,
    "Noisy networks: learned noise in the weights explores, in addition to epsilon (Fortunato et al., 2018).",
  ),
};

/** Settings of {@link qNetwork}. */
export interface QNetworkOptions {
  readonly inputs: number;
  readonly actions: number;
  /** Outputs per action: 1 for a value, more for a distribution. */
  readonly atoms: number;
  readonly hidden: readonly number[];
  /** Dueling network: separate streams for the state value and the advantages (Wang et al., 2016). */
  readonly dueling: boolean;
  /** Learned noise in the last two layers, instead of random actions. */
  readonly noisy: boolean;
  /** Quantiles at sampled fractions with a cosine embedding, instead of atoms. */
  readonly implicit?: { readonly use: Use; readonly count: number; readonly cosines: number };
}

/** Layers before the streams, the streams (last hidden layer and outputs), and the fraction embedding. */
export type QParams = { body: Tree; advantage: Tree; value?: Tree; fractions?: nn.LinearParams };

/** Values of all actions: [rows, actions], or [rows, actions, numbers] with several atoms or fractions. */
export function qNetwork(options: QNetworkOptions): nn.Layer<QParams> {
  const { inputs, actions, atoms, hidden, dueling, noisy, implicit } = options;
  const widths = [inputs, ...hidden];
  const last = widths[widths.length - 1];
  const before = widths.length > 1 ? widths[widths.length - 2] : inputs;
  const make = (from: number, to: number) =>
    (noisy
      ? noisyLinear({ inputs: from, outputs: to })
      : nn.linear({ inputs: from, outputs: to })) as nn.Layer<Tree>;
  const body = widths
    .slice(1, -1)
    .map((n, i) => nn.linear({ inputs: widths[i], outputs: n }) as nn.Layer<Tree>);
  const stream = (outputs: number) =>
    hidden.length ? inRow([make(before, last), make(last, outputs)]) : inRow([make(inputs, outputs)]);
  const advantage = stream(actions * atoms);
  const value = dueling ? stream(atoms) : undefined;
  const shared = inRow(body, true);
  const embedding = implicit && cosineEmbedding(hidden.length ? before : inputs, implicit.cosines);
  /** Inputs of the streams: the features, or one feature row per fraction. */
  const shown = (params: QParams, features: Tensor, key: Tensor | undefined) => {
    if (!implicit || !embedding || !params.fractions) return features;
    const fractions = fractionsFor(implicit.use, implicit.count, features.shape[0], key);
    return embedding.apply(params.fractions, features, fractions);
  };

  return {
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      return {
        body: shared.init(a),
        advantage: advantage.init(b),
        ...(value ? { value: value.init(c) } : {}),
        ...(embedding ? { fractions: embedding.init(random.foldKey(key, 4)) } : {}),
      };
    },
    apply(params, x, context) {
      const [a, b] = context?.key ? random.splitKey(context.key) : [];
      const features = shown(params, shared.apply(params.body, x), context?.key);
      /** A stream's outputs for all actions, those of one action adjacent. */
      const laidOut = (outputs: Tensor, n: number) => {
        if (implicit) return transpose(outputs, 1, 2);
        return reshape(outputs, atoms === 1 ? [x.shape[0], n] : [x.shape[0], n, atoms]);
      };
      const each = laidOut(advantage.apply(params.advantage, features, { key: a }), actions);
      if (!value || !params.value) return each;
      // Only the sum is observed: advantages have mean 0, which makes the decomposition unique.
      const common = laidOut(value.apply(params.value, features, { key: b }), 1);
      return add(sub(each, mean(each, { axis: 1, keepDims: true })), common);
    },
  };
}

/** Layers with a relu in between, and after the last one if `ends`. */
function inRow(layers: readonly nn.Layer<Tree>[], ends = false): nn.Layer<Tree> {
  return {
    init: (key) =>
      layers.length ? random.splitKey(key, layers.length).map((k, i) => layers[i].init(k)) : [],
    apply(params, x, context) {
      const keys = context?.key ? random.splitKey(context.key, layers.length) : [];
      return layers.reduce((y: Tensor, layer, i) => {
        const z = layer.apply((params as Tree[])[i], y, { key: keys[i] });
        return ends || i < layers.length - 1 ? z.relu() : z;
      }, x);
    },
  };
}
