import { random, type Tree } from "@reins/tensor";
import type { Body } from "../body.ts";
import type { nn } from "../nn.ts";

/**
 * A layer on top of a body: from rows of observations to what the layer makes of features. Where the body learns nothing, the weights are
 * the layer's alone.
 */
export function onBody(body: Body, layer: nn.Layer): nn.Layer<Tree, Tree> {
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
      return layer.apply(own.layer, body.apply(own.body, observation, 1), context);
    },
  };
}
