import { type ActingPolicy, box, type EnvSpec, type Learner } from "@reins/core";
import type { OffPolicyParts } from "@reins/core/loops";
import type { TransitionColumns } from "@reins/core/replay";
import { flatSize, flatten } from "@reins/core/spaces";
import * as nn from "@reins/nn";
import type { Tensor, Tree } from "@reins/tensor";

/** A method's state, and the running statistics of its observations. */
export type NormalisedState<S extends Tree> = { readonly inner: S; readonly seen: nn.RunningNormStatistics };

/**
 * A method on flat observations with zero mean and unit variance over all training data. `make` gets the
 * normalised observation space instead of the environment's.
 */
export function withNormalisedObservations<S extends Tree>(
  spec: EnvSpec,
  make: (spec: EnvSpec) => OffPolicyParts<S>,
): OffPolicyParts<NormalisedState<S>> {
  const space = spec.observation;
  const width = flatSize(space);
  const norm = nn.runningNorm(width);
  const flat = (observation: Tree) => flatten(space, observation, { leading: 1 });
  const { policy, learner, ...parts } = make({
    ...spec,
    observation: box([width], Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  });
  const acting: ActingPolicy = {
    ...policy,
    init: (key) => ({ inner: policy.init(key), seen: norm.start() }),
    act(weights, view, state, key) {
      const { inner, seen } = weights as NormalisedState<Tree>;
      return policy.act(
        inner,
        { ...view, observation: norm.apply({}, seen, flat(view.observation)) },
        state,
        key,
      );
    },
  };
  const learning: Learner<NormalisedState<S>, TransitionColumns> = {
    ...learner,
    init: (key) => ({ inner: learner.init(key), seen: norm.start() }),
    acting: ({ inner, seen }) => ({ inner: learner.acting(inner), seen }),
    update({ inner, seen }, batch, chance) {
      const { output, statistics } = norm.learn({}, seen, flat(batch.observation));
      const next: Tensor = norm.apply({}, statistics, flat(batch.next));
      const improved = learner.update(inner, { ...batch, observation: output, next }, chance);
      return { ...improved, state: { inner: improved.state, seen: statistics } };
    },
  };
  return { ...parts, policy: acting, learner: learning };
}
