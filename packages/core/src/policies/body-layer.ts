import { random, type Tensor, type Tree } from "@reins/tensor";
import { type Body, learningContext } from "../body.ts";
import type { nn } from "../nn.ts";

/** A layer on a body. The body uses the key `learn`, present during training; the layer uses `key`, as layers do. */
export interface BodyLayer extends nn.Layer<Tree, Tree> {
  apply(params: Tree, observation: Tree, context?: nn.LayerContext & { readonly learn?: Tensor }): Tensor;
}

/**
 * A layer on top of a body: from rows of observations to the layer's output. If the body has no parameters, the weights are
 * the layer's only.
 */
export function bodyLayer(body: Body, layer: nn.Layer): BodyLayer {
  const { init } = body;
  if (!init)
    return {
      init: (key) => layer.init(key),
      apply: (params, observation, context) =>
        layer.apply(params, body.apply(undefined, observation, 1), context),
    };
  return {
    init: (key) => ({ body: init(random.foldKey(key, 1)), layer: layer.init(key) }),
    apply(params, observation, context) {
      const own = params as { readonly body: Tree; readonly layer: Tree };
      const seen = body.apply(own.body, observation, 1, learningContext(body, context?.learn));
      return layer.apply(own.layer, seen, context);
    },
  };
}
