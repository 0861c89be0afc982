import { fail } from "@reins/core";
import {
  abs,
  add,
  clamp,
  exp,
  expandDims,
  huber,
  linspace,
  log,
  logSoftmax,
  lt,
  maximum,
  mean,
  mul,
  neg,
  square,
  sub,
  sum,
  type Tensor,
  type Tree,
  where,
} from "@reins/tensor";

/** Value form: the meaning of a network's outputs for an action, its value or its return distribution. */
export interface ValueForm {
  /** Outputs per action. */
  readonly atoms: number;
  /** For implicit quantiles, the number of fractions per use. Each has one output. */
  readonly fractions?: { readonly [use in Use]: number };
  /** The expected return, from outputs whose last axis holds the atoms (absent if there is one). */
  mean(outputs: Tensor): Tensor;
  /**
   * Loss and TD error of predictions against `reward + discount · next`, one per row; at these fractions, if
   * sampled.
   */
  compare(predicted: Tensor, target: ValueTarget): { loss: Tensor; error: Tensor };
}

/** The parts of a TD target, `reward + discount · next`, one per row. */
export interface ValueTarget {
  /** The target network's outputs for the next state and action. */
  readonly next: Tensor;
  readonly reward: Tensor;
  readonly discount: Tensor;
  /** The fractions at which the prediction was sampled, if the form samples them. */
  readonly fractions?: Tensor;
}

/** Uses of a network: the prediction, the target, or the choice of an action. */
export type Use = "prediction" | "target" | "choice";

/** A custom loss from the networks' outputs for both states of each transition, with the TD errors. */
export type Comparison = (seen: {
  readonly online: { state(): Tensor; next(): Tensor };
  readonly target: { state(): Tensor; next(): Tensor };
  /** i32 [rows], from 0. */
  readonly action: Tensor;
  readonly reward: Tensor;
  readonly discount: Tensor;
  readonly nextMask?: Tree;
}) => { loss: Tensor; error: Tensor };

/** Half the squared error, or Huber's loss, which is linear beyond 1. */
export type Penalty = "squared" | "huber";

/** A scalar value: the expected return (Watkins, 1989; Mnih et al., 2015). */
export function expected(penalty: Penalty): ValueForm {
  return {
    atoms: 1,
    mean: (outputs) => outputs,
    compare(predicted, { next, reward, discount }) {
      const error = sub(predicted, add(reward, mul(discount, next)));
      return { loss: penalty === "huber" ? huber(error) : mul(square(error), 0.5), error: abs(error) };
    },
  };
}

/** Probabilities of fixed returns from `low` to `high` (Bellemare et al., "A Distributional Perspective", 2017): C51. */
export function categorical({ atoms, low, high }: { atoms: number; low: number; high: number }): ValueForm {
  const gap = (high - low) / (atoms - 1);
  const support = () => linspace(low, high, atoms);
  return {
    atoms,
    mean: (outputs) => sum(mul(exp(logSoftmax(outputs)), support()), -1),
    compare(predicted, { next, reward, discount }) {
      const moved = clamp(add(expandDims(reward, 1), mul(expandDims(discount, 1), support())), low, high);
      // Each shifted atom is split between its two neighbours on the support, in proportion to proximity: [rows,
      // to, from].
      const distance = abs(sub(expandDims(moved, 1), support().reshape([1, atoms, 1])));
      const share = clamp(sub(1, mul(distance, 1 / gap)), 0, 1);
      const target = sum(mul(share, expandDims(exp(logSoftmax(next)), 1)), -1);
      const loss = neg(sum(mul(target, logSoftmax(predicted)), -1));
      // The KL divergence: the cross-entropy minus the entropy of the target.
      const entropy = neg(sum(mul(target, log(maximum(target, 1e-30))), -1));
      return { loss, error: maximum(sub(loss, entropy), 0) };
    },
  };
}

/** Quantile regression (Dabney et al., 2018): QR-DQN. */
export function quantiles({ atoms }: { atoms: number }): ValueForm {
  return {
    atoms,
    mean: (outputs) => mean(outputs, -1),
    compare(predicted, target) {
      return quantileHuber(predicted, target, middles(atoms).reshape([1, atoms, 1]));
    },
  };
}

/** Midpoints of `count` equal intervals between 0 and 1. */
export const middles = (count: number): Tensor => linspace(0.5 / count, 1 - 0.5 / count, count);

/** Quantiles at newly sampled fractions, from an implicit quantile network (Dabney et al., 2018): IQN. */
export function implicitQuantiles(fractions: { readonly [use in Use]: number }): ValueForm {
  return {
    atoms: 1,
    fractions,
    mean: (outputs) => mean(outputs, -1),
    compare(predicted, target) {
      const { fractions: sampled } = target;
      if (!sampled) return fail("implicitQuantiles", "the prediction lacks its fractions.");
      return quantileHuber(predicted, target, expandDims(sampled, 2));
    },
  };
}

/**
 * Quantile Huber loss of each prediction against each target: a sum over predictions of the mean over targets.
 * `fractions` are [rows or 1, predictions, 1].
 */
function quantileHuber(
  predicted: Tensor,
  { next, reward, discount }: ValueTarget,
  fractions: Tensor,
): { loss: Tensor; error: Tensor } {
  const target = add(expandDims(reward, 1), mul(expandDims(discount, 1), next));
  // [rows, predicted, target]
  const error = sub(expandDims(target, 1), expandDims(predicted, 2));
  const tilt = where(lt(error, 0), sub(1, fractions), fractions);
  const loss = sum(mean(mul(tilt, huber(error)), -1), -1);
  return { loss, error: abs(sub(mean(target, -1), mean(predicted, -1))) };
}
