import type { Tensor, Tree } from "@reins/tensor";
import type { TrainState } from "../learner.ts";
import type { nn } from "../nn.ts";
import { LiveValue, type Scalar, valueOf } from "../signals/live.ts";
import { clipGradient, gradientNorm } from "./gradient.ts";

/** How weights follow a gradient. */
export interface OptimiserOptions {
  readonly optimiser: nn.Optimiser;
  readonly learningRate: Scalar;
  /** Maximum gradient norm; no clipping if absent or Infinity. */
  readonly clipNorm?: Scalar;
}

/** Initial weights with the initial state of their optimiser. */
export function initTrainState<W extends Tree>(weights: W, optimiser: nn.Optimiser): TrainState<W> {
  return { weights, optimiser: optimiser.init(weights) };
}

/** Weights after one optimiser step; `norm` is the gradient norm if it was computed. */
export function optimiserStep<W extends Tree>(
  learned: TrainState<W>,
  gradient: W,
  pace: OptimiserOptions,
): { readonly learned: TrainState<W>; readonly norm?: Tensor } {
  const limit = limitOf(pace.clipNorm);
  const norm = limit === undefined ? undefined : gradientNorm(gradient);
  const short = norm ? (clipGradient(gradient, norm, limit!) as W) : gradient;
  const { params, state } = pace.optimiser.update(short, learned.optimiser, learned.weights, {
    learningRate: valueOf(pace.learningRate),
  });
  return { learned: { weights: params, optimiser: state }, ...(norm ? { norm } : {}) };
}

function limitOf(limit: Scalar | undefined): Tensor | number | undefined {
  const isOff =
    limit instanceof LiveValue ? limit.isOff(Number.POSITIVE_INFINITY) : limit === Number.POSITIVE_INFINITY;
  return limit === undefined || isOff ? undefined : valueOf(limit);
}
