import { random, type Tensor, type Tree } from "@reins/tensor";
import type { Context, Layer } from "../layer.ts";
import { activation, type Activation } from "./activation.ts";

/** Layers one after another; names of activations and plain functions may stand between them. Parameters are a list. */
export function sequential(...parts: (Layer | Activation)[]): Layer<Tree[]> {
  const layers = parts.map((p): Layer => (typeof p === "object" ? p : parameterless(activation(p))));
  return {
    init: (key) => random.splitKey(key, layers.length).map((k, i) => layers[i].init(k)),
    apply: (params, x, context) => layers.reduce((y, layer, i) => layer.apply(params[i], y, child(context, i)), x),
  };
}

function parameterless(f: (x: Tensor) => Tensor): Layer {
  return { init: () => ({}), apply: (_, x) => f(x) };
}

/** The context of the `i`-th part: the same, with a key of its own. */
export function child(context: Context | undefined, i: number): Context | undefined {
  return context?.key ? { ...context, key: random.foldKey(context.key, i) } : context;
}
