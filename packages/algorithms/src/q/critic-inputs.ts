import type { EnvSpec } from "@reins/core";
import { type BodyOptions, bodyFor, learningContext } from "@reins/core/policies";
import * as nn from "@reins/nn";
import { concat, random, stack, type Tensor, type Tree, vmap } from "@reins/tensor";

/** Network options of actors and critics. */
export interface NetworkOptions extends BodyOptions {
  readonly hidden: readonly number[];
}

/** Inputs of critics, and where the weights of their body are. */
export interface CriticInputs {
  /** Width of an input. */
  readonly width: number;
  /** Widths of the hidden layers of the critics. */
  readonly hidden: readonly number[];
  /** Whether each critic has its own inputs, on a first axis. */
  readonly separate: boolean;
  init(key: Tensor, critics: (key: Tensor) => Tree): Tree;
  /** The weights of the body, if it has any, and those of the critics. */
  parts(weights: Tree): { readonly body: Tree; readonly critics: Tree };
  /**
   * Features of observations concatenated with actions, [rows, width]; with separate inputs, [members, rows,
   * width].
   */
  join(body: Tree, observation: Tree, action?: Tensor, learn?: Tensor): Tensor;
}

/**
 * Inputs of critics. They share one encoder, trained by all of their errors; a custom network is copied per
 * critic. Actions are concatenated with the features. A custom network is followed by a layer as wide as its
 * features: a value linear in both would have the same best action in every state.
 */
export function criticInputs(
  spec: EnvSpec,
  o: NetworkOptions,
  { members, actions }: { readonly members: number; readonly actions: number },
): CriticInputs {
  const body = bodyFor(spec.observation, o);
  const { init } = body;
  const separate = o.network !== undefined && init !== undefined;
  const look = (weights: Tree, observation: Tree, learn?: Tensor) => {
    const how = learningContext(body, learn);
    if (!separate) return body.apply(weights, observation, 1, how);
    if (!how?.key) return vmap((w: Tree) => body.apply(w, observation, 1))(weights);
    const keys = stack(random.splitKey(how.key, members));
    return vmap((w: Tree, key: Tensor) => body.apply(w, observation, 1, { key }))(weights, keys);
  };
  const each = (action: Tensor) => (separate ? stack(Array.from({ length: members }, () => action)) : action);
  return {
    width: body.features + actions,
    hidden: o.network && actions ? [Math.max(least, body.features)] : o.hidden,
    separate,
    init(key, critics) {
      if (!init) return critics(key);
      const own = random.foldKey(key, 1);
      const seeing = separate ? nn.stackTrees(random.splitKey(own, members).map((k) => init(k))) : init(own);
      return { body: seeing, critics: critics(key) };
    },
    parts: (weights) =>
      init
        ? (weights as { readonly body: Tree; readonly critics: Tree })
        : { body: undefined, critics: weights },
    join(weights, observation, action, learn) {
      const seen = look(weights, observation, learn);
      return action ? concat([seen, each(action)], -1) : seen;
    },
  };
}

/** Minimum width of the layer in which actions join the features of a custom network. */
const least = 64;
