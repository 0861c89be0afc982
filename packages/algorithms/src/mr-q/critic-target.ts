import { add, clamp, div, min, mul, neg, random, reshape, type Tensor, type Tree } from "@reins/tensor";
import type { ModelNetworks, ModelOptions } from "./parts.ts";
import type { FixedState } from "./target-state.ts";
import { firstSteps, type WindowColumns } from "./unroll.ts";

/** Two Q-values of state-action pairs, [2, rows]. */
export const twoValues = ({ values }: ModelNetworks, weights: Tree, pair: Tensor): Tensor =>
  reshape(values.apply(weights, pair), [2, -1]);

/** A minibatch of windows and its random key. */
interface Minibatch {
  readonly windows: WindowColumns;
  readonly key: Tensor;
}

/**
 * TD target of the critics: n-step rewards plus the target networks' value of the state after them, in the
 * current reward scale.
 */
export function criticTarget(
  o: ModelOptions,
  networks: ModelNetworks,
  { target, scale, targetScale }: FixedState,
  { windows, key }: Minibatch,
): Tensor {
  const { actions, model, actor } = networks;
  const ahead = firstSteps(windows, o.nStep);
  const reached = model.state(target.model, ahead.next, 1);
  const best = actions.soft(actor.apply(target.actor, reached), key);
  const limit = o.smoothingLimit.tensor;
  const noise = clamp(mul(random.normal(key, best.shape), o.smoothing.tensor), neg(limit), limit);
  const pair = model.pair(
    target.model,
    reached,
    actions.nearest(add(best, actions.noise(noise)), ahead.nextMask),
  );
  const following = mul(min(twoValues(networks, target.values, pair), 0), targetScale);
  return div(add(ahead.reward, mul(ahead.discount, following)), scale);
}
