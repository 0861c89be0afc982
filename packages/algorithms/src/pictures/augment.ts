import type { Learner, TransitionColumns } from "@reins/core";
import { random, type Tensor, type Tree } from "@reins/tensor";

/** Changes rows of observations in a way that should not matter, by chance: `observation` in, the same shapes and types out. */
export type Augmentation = (observation: Tree, key: Tensor) => Tree;

/** A learner that sees what is replayed changed in this way, the steps before and after an action independently (Kostrikov et al., 2021). */
export function augmented<S extends Tree, C extends TransitionColumns>(
  learner: Learner<S, C>,
  augment: Augmentation | undefined,
): Learner<S, C> {
  if (!augment) return learner;
  return {
    ...learner,
    update(state, batch, chance) {
      const [now, later] = random.splitKey(random.foldKey(chance.key, seeing));
      const { observation, next } = batch;
      return learner.update(
        state,
        { ...batch, observation: augment(observation, now), next: augment(next, later) },
        chance,
      );
    },
  };
}

/** Tells what pictures are changed by from what else is drawn from the same key. */
const seeing = 0x61756770;
