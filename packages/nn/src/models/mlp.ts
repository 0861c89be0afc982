import { random } from "@reins/tensor";
import { type Initialiser, orthogonal, zeros } from "../init/index.ts";
import type { Layer } from "../layer.ts";
import { type Activation, activation as lookUp } from "../layers/activation.ts";
import { type LinearParams, linear } from "../layers/linear.ts";
import { type LayerNormParams, layerNorm } from "../layers/norm.ts";

/** One entry of `layers` for each hidden layer, and one more if there are `outputs`. */
export type MlpParams = { layers: LinearParams[]; norms?: LayerNormParams[] };

/** Settings of {@link mlp}. */
export interface MlpOptions {
  /** Length of the last axis of the input. */
  inputs: number;
  /** Widths of the hidden layers. More and wider layers fit harder functions and cost more ([64, 64] to [256, 256]). */
  hidden?: readonly number[];
  /** Number of outputs; without it the result is the activated last hidden layer. */
  outputs?: number;
  /** Activation of the hidden layers (default "tanh", as in PPO). */
  activation?: Activation;
  /** Gain of the orthogonal initial weights of hidden layers (default √2, as in PPO). */
  gain?: number;
  /** Gain of the last layer: 0.01 gives a nearly uniform initial policy, 1 suits values (default 1). */
  outputGain?: number;
  /** Initialiser for a given gain, instead of the orthogonal one. */
  weightInit?: (gain: number) => Initialiser;
  /** A layer norm before each activation, which stabilises off-policy critics (default false). */
  normalise?: boolean;
  /** Whether hidden layers have a bias (default true). Redundant before a norm, which has a shift. */
  bias?: boolean;
}

/** Linear layers with an activation in between, initialised as in PPO. */
export function mlp(options: MlpOptions): Layer<MlpParams> {
  const {
    inputs,
    hidden = [64, 64],
    outputs,
    activation = "tanh",
    gain = Math.SQRT2,
    outputGain = 1,
    weightInit = orthogonal,
    normalise = false,
    bias = true,
  } = options;
  const activate = lookUp(activation);
  const widths = [inputs, ...hidden, ...(outputs === undefined ? [] : [outputs])];
  const layers = widths.slice(1).map((n, i) =>
    linear({
      inputs: widths[i],
      outputs: n,
      bias: bias || i >= hidden.length,
      weightInit: weightInit(i < hidden.length ? gain : outputGain),
      biasInit: zeros,
    }),
  );
  const norms = normalise ? hidden.map((n) => layerNorm(n)) : [];
  return {
    init(key) {
      const params: MlpParams = {
        layers: random.splitKey(key, layers.length).map((k, i) => layers[i].init(k)),
      };
      return normalise ? { ...params, norms: norms.map((n) => n.init(key)) } : params;
    },
    apply(params, x) {
      return layers.reduce((y, layer, i) => {
        const z = layer.apply(params.layers[i], y);
        if (i >= hidden.length) return z;
        return activate(params.norms ? norms[i].apply(params.norms[i], z) : z);
      }, x);
    },
  };
}
