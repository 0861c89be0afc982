import { random } from "@reins/tensor";
import type { Layer } from "../layer.ts";
import { type RationalParams, rational } from "../layers/rational.ts";
import { type MlpParams, mlp } from "./mlp.ts";

/** Linear layers, and one activation for each of them or one for all. */
export type RationalMlpParams = { linear: MlpParams[]; activations: RationalParams[] };

/** Settings of {@link rationalMlp}. */
export interface RationalMlpOptions {
  /** Length of the last axis of the input. */
  inputs: number;
  /** Widths of the hidden layers ([64, 64] to [256, 256]). */
  hidden: readonly number[];
  /** One activation for all layers instead of one each: fewer parameters, which regularises. */
  shared?: boolean;
}

/** Hidden layers as in `mlp` with learned activations: {@link rational}. The result is the activated last layer. */
export function rationalMlp({
  inputs,
  hidden,
  shared = false,
}: RationalMlpOptions): Layer<RationalMlpParams> {
  const widths = [inputs, ...hidden];
  const layers = hidden.map((n, i) => mlp({ inputs: widths[i], hidden: [n], activation: "none" }));
  const activation = rational();
  return {
    init(key) {
      const linear = random.splitKey(key, layers.length).map((k, i) => layers[i].init(k));
      const count = shared ? 1 : layers.length;
      return { linear, activations: Array.from({ length: count }, () => activation.init(key)) };
    },
    apply: (params, x) =>
      layers.reduce(
        (y, layer, i) =>
          activation.apply(params.activations[shared ? 0 : i], layer.apply(params.linear[i], y)),
        x,
      ),
  };
}
