import { random, type Tensor, type Tree } from "@reins/tensor";
import type { Layer, LayerContext } from "../layer.ts";
import { type Activation, activation } from "./activation.ts";

/** The parameters of each part; activations have none. */
export type SequentialParams<L extends readonly (Layer | Activation)[]> = {
  -readonly [K in keyof L]: L[K] extends Layer<infer P> ? P : Record<string, never>;
};

/** Layers in sequence, with names of activations and plain functions between them. Parameters are a list. */
export function sequential<const L extends readonly (Layer | Activation)[]>(
  ...parts: L
): Layer<SequentialParams<L>> {
  const layers = parts.map(layerOf);
  return {
    init: (key) =>
      random.splitKey(key, layers.length).map((k, i) => layers[i].init(k)) as SequentialParams<L>,
    apply: (params, x, context) =>
      layers.reduce((y, layer, i) => layer.apply((params as Tree[])[i], y, child(context, i)), x),
  };
}

/** A part as a layer: an activation becomes a layer without parameters. */
export const layerOf = (part: Layer | Activation): Layer =>
  typeof part === "object" ? part : parameterless(activation(part));

function parameterless(f: (x: Tensor) => Tensor): Layer {
  return { init: () => ({}), apply: (_, x) => f(x) };
}

/** The context of the `i`-th part, with a separate key. */
export function child(context: LayerContext | undefined, i: number): LayerContext | undefined {
  return context?.key ? { ...context, key: random.foldKey(context.key, i) } : context;
}
