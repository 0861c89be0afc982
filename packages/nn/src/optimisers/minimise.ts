import { compile, random, scalar, type Tensor, type Tree, valueAndGradient } from "@reins/tensor";
import { adam } from "./adam.ts";
import { clipGlobalNorm } from "./clip.ts";
import type { Optimiser } from "./optimiser.ts";

/** Settings of {@link minimise}. */
export interface MinimiseOptions {
  /** What the keys of the losses come from: another one for each step. */
  readonly key: Tensor;
  /** Adam unless given. */
  readonly optimiser?: Optimiser;
  /** Longest gradient, over all weights; none unless given. */
  readonly clipNorm?: number;
}

/**
 * Moves weights down the gradient of a loss, in place: each call of the result is one compiled step, of the size it is told, and gives
 * the loss before it. Chance, such as which examples a step is about, comes from the key that the loss gets.
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
    { donate: [0, 1] },
  ).bind(weights, first);
  return (learningRate) => {
    rate.set(learningRate);
    update.run();
    return update.result.value.item();
  };
}
