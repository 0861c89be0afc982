import { compile, random, scalar, type Tensor, type Tree, valueAndGradient } from "@reins/tensor";
import { adam } from "./adam.ts";
import { clipGlobalNorm } from "./clip.ts";
import type { Optimiser } from "./optimiser.ts";

/** Settings of {@link minimise}. */
export interface MinimiseOptions {
  /** Seed key of the losses, from which each step derives a separate key. */
  readonly key: Tensor;
  /** Optimiser (default Adam). */
  readonly optimiser?: Optimiser;
  /** Maximum global gradient norm (default: no clipping). */
  readonly clipNorm?: number;
}

/**
 * Minimises a loss by gradient descent, in place: each call of the result is one compiled step with the given learning rate, and
 * returns the loss before it. Randomness, such as the choice of a minibatch, comes from the key that the loss receives.
 *
 *     const step = minimise(weights, (w, key) => loss(w, batch(key)), { key: random.key(0) });
 *     for (let i = 0; i < 1000; i++) step(3e-3);
 */
export function minimise<W extends Tree>(
  weights: W,
  loss: (weights: W, key: Tensor) => Tensor,
  { key, optimiser = adam(), clipNorm }: MinimiseOptions,
): (learningRate: number) => number {
  const first = optimiser.init(weights);
  const rate = scalar(0);
  const update = compile(
    (w: W, state: typeof first) => {
      const drawn = random.foldKey(key, state.step);
      const { value, gradient } = valueAndGradient((v: W) => loss(v, drawn))(w);
      const gradients = clipNorm === undefined ? gradient : clipGlobalNorm(gradient, clipNorm).gradients;
      return { ...optimiser.update(gradients, state, w, { learningRate: rate }), value };
    },
    { donate: [0, 1], host: true },
  ).bind(weights, first);
  return (learningRate) => {
    rate.set(learningRate);
    update.run();
    return update.result.value.item();
  };
}
