import type { Tensor, Tree } from "@reins/tensor";
import type { Learned } from "../learner.ts";
import type { nn } from "../nn.ts";
import { Live, type Scalar, valueOf } from "../signals/live.ts";
import { gradientNorm, shorten } from "./gradient.ts";

/** How weights follow a gradient. */
export interface Pace {
  readonly optimiser: nn.Optimiser;
  readonly learningRate: Scalar;
  /** Maximum gradient norm; no clipping if absent or Infinity. */
  readonly clipNorm?: Scalar;
}

/** Initial weights with the initial state of their optimiser. */
export function unlearned<W extends Tree>(weights: W, optimiser: nn.Optimiser): Learned<W> {
  return { weights, optimiser: optimiser.init(weights) };
}

/** Weights after one optimiser step; `norm` is the gradient norm if it was computed. */
export function improve<W extends Tree>(
  learned: Learned<W>,
  gradient: W,
  pace: Pace,
): { readonly learned: Learned<W>; readonly norm?: Tensor } {
  const limit = limitOf(pace.clipNorm);
  const norm = limit === undefined ? undefined : gradientNorm(gradient);
  const short = norm ? (shorten(gradient, norm, limit!) as W) : gradient;
  const { params, state } = pace.optimiser.update(short, learned.optimiser, learned.weights, {
    learningRate: valueOf(pace.learningRate),
  });
  return { learned: { weights: params, optimiser: state }, ...(norm ? { norm } : {}) };
}

function limitOf(limit: Scalar | undefined): Tensor | number | undefined {
  const isOff =
    limit instanceof Live ? limit.isOff(Number.POSITIVE_INFINITY) : limit === Number.POSITIVE_INFINITY;
  return limit === undefined || isOff ? undefined : valueOf(limit);
}
