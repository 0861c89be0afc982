import {
  type BodyOptions,
  type Box,
  bodyFor,
  type EnvSpec,
  fail,
  learningContext,
  rangeOf,
} from "@reins/core";
import * as nn from "@reins/nn";
import {
  add,
  concat,
  div,
  mean,
  min,
  mul,
  random,
  reshape,
  square,
  stack,
  sub,
  sum,
  type Tensor,
  type Tree,
  valueAndGradient,
  vmap,
} from "@reins/tensor";

/** Layers with relus in between, first weights as PyTorch draws them. */
export function network(widths: readonly number[]): nn.Layer<Tree> {
  const layers = widths
    .slice(1)
    .flatMap((outputs, i) => [
      nn.linear({ inputs: widths[i], outputs }),
      ...(i < widths.length - 2 ? (["relu"] as const) : []),
    ]);
  return nn.sequential(...layers) as nn.Layer<Tree>;
}

/** The options about the networks of actors and critics. */
export interface NetworkOptions extends BodyOptions {
  readonly hidden: readonly number[];
}

/** Bounded actions as networks see them, between -1 and 1, and as the environment does. */
export interface Scaled {
  readonly size: number;
  execute(inner: Tensor): Tensor;
  inner(executed: Tensor): Tensor;
}

/** How the actions of a box are scaled. */
export function scaled(name: string, spec: EnvSpec): Scaled {
  const space = spec.action as Box;
  if (space.shape.length !== 1)
    fail(name, `${spec.id} has actions of shape [${space.shape}]; ${name} takes flat ones.`);
  const { middle, half } = rangeOf(space);
  return {
    size: space.shape[0],
    execute: (inner) => add(mul(inner, half), middle),
    inner: (executed) => div(sub(executed, middle), half),
  };
}

/** Two critics of equal make and different first weights: the lower one is less optimistic (Fujimoto et al., 2018). */
export interface TwinCritics {
  init(key: Tensor): Tree;
  /** [2, rows]; with `choices`, [2, rows, choices]. Where they learn, bodies draw from `learn`. */
  values(params: Tree, observation: Tree, action?: Tensor, learn?: Tensor): Tensor;
}

/** What critics judge: an action of so many numbers, or each of so many choices. */
export type Judged = { readonly actions: number } | { readonly choices: number };

/**
 * Critics of actions. Both see by one encoder, which the errors of both teach, and have hidden layers of their own; of a network of one's
 * own each has a copy. Actions join the features. On a whole network a layer as wide as its features follows: a value that is linear in
 * both would have the same best action everywhere.
 */
export function twinCritics(spec: EnvSpec, o: NetworkOptions, judged: Judged): TwinCritics {
  const body = bodyFor(spec.observation, o);
  const [actions, outputs] = "choices" in judged ? [0, judged.choices] : [judged.actions, 1];
  const joining = o.network && actions ? [Math.max(least, body.features)] : o.hidden;
  const { init } = body;
  const apart = o.network !== undefined && init !== undefined;
  // One batched product for both.
  const both = nn.ensemble(network([body.features + actions, ...joining, outputs]), {
    members: 2,
    separateInputs: apart,
  });
  const look = (weights: Tree, observation: Tree, learn?: Tensor) => {
    const how = learningContext(body, learn);
    if (!apart) return body.apply(weights, observation, 1, how);
    if (!how?.key) return vmap((w: Tree) => body.apply(w, observation, 1))(weights);
    const keys = stack(random.splitKey(how.key));
    return vmap((w: Tree, key: Tensor) => body.apply(w, observation, 1, { key }))(weights, keys);
  };
  const judge = (weights: Tree, seen: Tensor, action?: Tensor) => {
    const joined = action ? concat([seen, apart ? stack([action, action]) : action], -1) : seen;
    const all = both.apply(weights, joined);
    return "choices" in judged ? all : reshape(all, all.shape.slice(0, 2));
  };
  if (!init)
    return {
      init: both.init,
      values: (weights, observation, action) => judge(weights, look(undefined, observation), action),
    };
  return {
    init(key) {
      const own = random.foldKey(key, 1);
      const seeing = apart ? nn.stackTrees(random.splitKey(own).map((k) => init(k))) : init(own);
      return { body: seeing, critics: both.init(key) };
    },
    values(weights, observation, action, learn) {
      const own = weights as { readonly body: Tree; readonly critics: Tree };
      return judge(own.critics, look(own.body, observation, learn), action);
    },
  };
}

/** Fewest units of the layer in which actions join the features of a network of one's own. */
const least = 64;

/** Half the squared distance of critics from a goal: its gradient, and what is measured of it. */
export function criticError(weights: Tree, valuesOf: (weights: Tree) => Tensor, goal: Tensor) {
  const { gradient, aux } = valueAndGradient((w: Tree) => {
    const value = valuesOf(w);
    const loss = mul(square(sub(value, goal)), 0.5);
    return [mean(sum(loss, 0)), { loss: mean(loss), value: mean(value) }] as const;
  })(weights);
  return { gradient, metrics: { "loss/value": aux.loss, "value/mean": aux.value } };
}

/** The lower of two estimates. */
export const lower = (values: Tensor): Tensor => min(values, 0);
