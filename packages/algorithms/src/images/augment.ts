import type { Learner } from "@reins/core";
import type { TransitionColumns } from "@reins/core/replay";
import { random, type Tensor, type Tree } from "@reins/tensor";

/** A random label-preserving change of a batch of observations: `observation` in, the same shapes and types out. */
export type Augmentation = (observation: Tree, key: Tensor) => Tree;

/**
 * A learner whose replayed observations are augmented, independently before and after the action (Kostrikov et
 * al., 2021).
 */
export function withAugmentation<S extends Tree, C extends TransitionColumns>(
  learner: Learner<S, C>,
  augment: Augmentation | undefined,
): Learner<S, C> {
  if (!augment) return learner;
  return {
    ...learner,
    update(state, batch, chance) {
      const [now, later] = random.splitKey(random.foldKey(chance.key, "augp"));
      const { observation, next } = batch;
      return learner.update(
        state,
        { ...batch, observation: augment(observation, now), next: augment(next, later) },
        chance,
      );
    },
  };
}
