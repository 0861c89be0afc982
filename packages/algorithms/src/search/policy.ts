import type { ActingPolicy, EnvSpec, PolicyInput } from "@reins/core";
import { type BodyOptions, bodyFor, headFor } from "@reins/core/policies";
import * as nn from "@reins/nn";
import { div, reshape, sub, type Tensor, type Tree, treeMap, vmap, zeros } from "@reins/tensor";

/** Feature statistics: neither searched nor different between members. */
export type Scale = { readonly mean: Tensor; readonly deviation: Tensor };

/** Weights of a {@link SearchedPolicy}. */
export type SearchedWeights = {
  /** The searched weights. */
  readonly network: Tree;
  readonly scale?: Scale;
};

/** A deterministic policy, for one set of weights and for one per row. */
export interface SearchedPolicy {
  readonly policy: ActingPolicy<SearchedWeights>;
  /** Actions where each row has its own weights. The trace holds the features, if observations are normalised. */
  readonly byRow: ActingPolicy<SearchedWeights>;
}

/** Settings of {@link searchedPolicy}. */
export interface SearchedPolicyOptions extends BodyOptions {
  readonly hidden: readonly number[];
  readonly activation?: nn.Activation;
  readonly normalise: boolean;
}

/** The greedy action of a body with some layers; continuous actions are clipped to their bounds. */
export function searchedPolicy(spec: EnvSpec, options: SearchedPolicyOptions): SearchedPolicy {
  const { hidden, activation, normalise } = options;
  const body = bodyFor(spec.observation, options);
  const head = headFor(spec.action);
  // Parameters that do not affect the greedy action.
  const spread = head.init(hidden[hidden.length - 1] ?? body.features);
  // A small last layer: the search starts near a policy that ignores its observations.
  const layers = nn.mlp({
    inputs: body.features,
    hidden,
    outputs: head.outputs,
    ...(activation ? { activation } : {}),
    outputGain: 0.01,
  });
  const scaled = normalise && !body.init;
  type Network = { readonly body?: Tree; readonly layers: nn.MlpParams };

  const act = ({ network, scale }: SearchedWeights, view: PolicyInput) => {
    const own = network as Network;
    const seen = body.apply(own.body, view.observation, 1);
    const x = scale ? div(sub(seen, scale.mean), scale.deviation) : seen;
    const { mask } = view;
    const chosen = head.distribution(spread, layers.apply(own.layers, x), { mask }).mode();
    return { action: head.execute(chosen), seen };
  };
  const init = (key: Tensor): SearchedWeights => ({
    network: { ...(body.init ? { body: body.init(key) } : {}), layers: layers.init(key) },
    ...(scaled ? { scale: { mean: zeros([body.features]), deviation: zeros([body.features]).set(1) } } : {}),
  });
  const alone = vmap(
    (network: Tree, scale: Tree, view: Tree) => {
      const one = treeMap((t: Tensor) => reshape(t, [1, ...t.shape]), view) as PolicyInput;
      const done = act({ network, scale: scale as Scale | undefined }, one);
      return treeMap((t: Tensor) => reshape(t, t.shape.slice(1)), done);
    },
    { in: [0, null, 0] },
  );
  return {
    policy: { init, act: (weights, view, state) => ({ action: act(weights, view).action, state }) },
    byRow: {
      init,
      act(weights, view, state) {
        const { action, seen } = alone(weights.network, weights.scale as Tree, view as Tree) as {
          action: Tree;
          seen: Tensor;
        };
        return { action, state, ...(scaled ? { trace: seen } : {}) };
      },
    },
  };
}
