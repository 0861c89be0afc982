import { type BodyOptions, bodyFor, type EnvSpec, learningContext } from "@reins/core";
import * as nn from "@reins/nn";
import { concat, random, stack, type Tensor, type Tree, vmap } from "@reins/tensor";

/** The options about the networks of actors and critics. */
export interface NetworkOptions extends BodyOptions {
  readonly hidden: readonly number[];
}

/** What critics are given, and where in their weights the part that sees is. */
export interface CriticInputs {
  /** Numbers of an input. */
  readonly width: number;
  /** Widths of the hidden layers that see it. */
  readonly hidden: readonly number[];
  /** Whether each critic has inputs of its own, on a first axis. */
  readonly separate: boolean;
  init(key: Tensor, critics: (key: Tensor) => Tree): Tree;
  /** The weights of what sees, if it has any, and those of the critics. */
  parts(weights: Tree): { readonly body: Tree; readonly critics: Tree };
  /** Features of observations with actions beside them, [rows, width]; where they are separate, [members, rows, width]. */
  join(body: Tree, observation: Tree, action?: Tensor, learn?: Tensor): Tensor;
}

/**
 * What critics see. All see by one encoder, which the errors of all teach; of a network of one's own each has a copy. Actions join the
 * features. On a whole network a layer as wide as its features follows: a value that is linear in both would have the same best action
 * everywhere.
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

/** Fewest units of the layer in which actions join the features of a network of one's own. */
const least = 64;
