import * as nn from "@reins/nn";
import { cos, expandDims, iota, mul, random, relu, type Tensor, zeros } from "@reins/tensor";
import { middles, type Use } from "./value-form.ts";

/** Constants that separate the draws from one key. */
const draws: { readonly [use in Use]: number } = { prediction: 1, target: 2, choice: 3 };

/**
 * Quantile fractions, [rows, count]: uniform random with a key, evenly spaced without one, so that their mean is
 * stable.
 */
export function fractionsFor(use: Use, count: number, rows: number, key?: Tensor): Tensor {
  return key
    ? random.uniform(random.foldKey(key, draws[use]), [rows, count])
    : middles(count).add(zeros([rows, count]));
}

/**
 * Embeds fractions: features [rows, width] times a layer of cos(π i τ), one feature row per fraction, [rows,
 * fractions, width] (Dabney et al., "Implicit Quantile Networks", 2018).
 */
export function cosineEmbedding(width: number, cosines: number) {
  const layer = nn.linear({ inputs: cosines, outputs: width });
  return {
    init: layer.init,
    apply(params: nn.LinearParams, features: Tensor, fractions: Tensor): Tensor {
      const waves = cos(mul(expandDims(fractions, 2), mul(iota([cosines]).cast("f32"), Math.PI)));
      return mul(expandDims(features, 1), relu(layer.apply(params, waves)));
    },
  };
}
