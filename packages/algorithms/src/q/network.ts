import { size } from "@reins/core";
import * as nn from "@reins/nn";
import { add, mean, random, reshape, sub, type Tensor, type Tree } from "@reins/tensor";
import { noisyLinear } from "./noisy.ts";

/** The options about the network. */
export const networkRows = {
  dueling: size(false, "Apart streams for states and advantages (Wang et al., 2016)."),
  noisy: size(false, "Learned noise in the weights explores, beside epsilon (Fortunato et al., 2018)."),
};

/** Settings of {@link qNetwork}. */
export interface QNetworkOptions {
  readonly inputs: number;
  readonly actions: number;
  /** Numbers for each action: 1 for a value, more for its distribution. */
  readonly atoms: number;
  readonly hidden: readonly number[];
  /** Apart streams for the value of the state and the advantages of actions (Wang et al., 2016). */
  readonly dueling: boolean;
  /** Learned noise in the last two layers instead of random actions. */
  readonly noisy: boolean;
}

/** Layers before the streams, and the streams: the last hidden layer and the outputs. */
export type QParams = { body: Tree; advantage: Tree; value?: Tree };

/** Values of all actions: [rows, actions], or [rows, actions, atoms] where there are several atoms. */
export function qNetwork(options: QNetworkOptions): nn.Layer<QParams> {
  const { inputs, actions, atoms, hidden, dueling, noisy } = options;
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

  return {
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      return {
        body: shared.init(a),
        advantage: advantage.init(b),
        ...(value ? { value: value.init(c) } : {}),
      };
    },
    apply(params, x, context) {
      const [a, b] = context?.key ? random.splitKey(context.key) : [];
      const features = shared.apply(params.body, x);
      const shape = atoms === 1 ? [x.shape[0], actions] : [x.shape[0], actions, atoms];
      const each = reshape(advantage.apply(params.advantage, features, { key: a }), shape);
      if (!value) return each;
      const level = value.apply(params.value!, features, { key: b });
      // Only their sum is observed: advantages have mean 0 so that the parts are determined.
      const common = atoms === 1 ? level : reshape(level, [x.shape[0], 1, atoms]);
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
