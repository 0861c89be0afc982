import type { Columns } from "@reins/core";
import { twoHotLoss } from "@reins/nn";
import {
  add,
  eq,
  mean,
  mul,
  reshape,
  slice,
  square,
  sub,
  type Tensor,
  type Tree,
  treeMap,
  where,
} from "@reins/tensor";
import type { Model } from "./model.ts";

/** Windows of consecutive steps, [rows, length, …]. */
export type WindowColumns = Columns & {
  readonly observation: Tree;
  readonly action: Tensor;
  readonly reward: Tensor;
  readonly discount: Tensor;
  readonly next: Tree;
  readonly valid: Tensor;
  readonly mask?: Tree;
  readonly nextMask?: Tree;
};

/** One step of windows, [rows, …]. */
export const stepOf = <T extends Tree>(windows: T, step: number): T =>
  treeMap((t) => reshape(slice(t, [null, [step, step + 1]]), [t.shape[0], ...t.shape.slice(2)]), windows);

/** Weights of the model's losses. */
export interface ForecastWeights {
  readonly dynamics: Tensor;
  readonly reward: Tensor;
  readonly done: Tensor;
}

/** Windows to predict, and how errors are measured. */
export interface Unrolling {
  readonly windows: WindowColumns & { readonly inner: Tensor };
  /** Embeddings of the following states, [rows, length, width], without gradients. */
  readonly reached: Tensor;
  /** Bins of the reward's two-hot encoding. */
  readonly bins: readonly number[];
  readonly lossWeights: ForecastWeights;
}

/**
 * The model's loss when unrolled along windows from their first states: each predicted embedding is the input of
 * the next step. Steps after an episode's end are masked.
 */
export function unrollLoss(
  model: Model,
  weights: Tree,
  { windows, reached, bins, lossWeights }: Unrolling,
): Tensor {
  const { observation, inner, reward, discount, valid } = windows;
  const length = reward.shape[1];
  let state = model.state(weights, stepOf(observation, 0), 1);
  const lost = Array.from({ length }, (_, i) => {
    const {
      done,
      next,
      reward: logits,
    } = model.forecast(weights, model.pair(weights, state, stepOf(inner, i)));
    const there = where(stepOf(valid, i), 1, 0);
    const ends = where(eq(stepOf(discount, i), 0), 1, 0);
    const dynamics = mean(square(sub(next, stepOf(reached, i))), -1);
    const rewardLoss = twoHotLoss(logits, stepOf(reward, i), bins);
    const ended = square(sub(reshape(done, ends.shape), ends));
    const wrong = add(
      add(mul(dynamics, lossWeights.dynamics), mul(rewardLoss, lossWeights.reward)),
      mul(ended, lossWeights.done),
    );
    state = next;
    return mean(mul(wrong, there));
  });
  return lost.reduce((a, b) => add(a, b));
}

/** n-step rewards of windows, the discount after them, and the state they reach, with its action mask. */
export function firstSteps({ reward, discount, next, nextMask, valid }: WindowColumns, steps: number) {
  let sum = stepOf(reward, 0);
  let factor = stepOf(discount, 0);
  for (let i = 1; i < steps; i++) {
    // A missing step repeats the last one, with reward 0 and the same following state.
    const there = stepOf(valid, i);
    sum = add(sum, where(there, mul(factor, stepOf(reward, i)), 0));
    factor = where(there, mul(factor, stepOf(discount, i)), factor);
  }
  const there = { next: stepOf(next, steps - 1), nextMask: nextMask && stepOf(nextMask, steps - 1) };
  return { reward: sum, discount: factor, ...there };
}
