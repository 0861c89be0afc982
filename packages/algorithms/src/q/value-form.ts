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

/** What a network's numbers for an action mean: its value, or the distribution of its return. */
export interface ValueForm {
  /** Numbers for each action. */
  readonly atoms: number;
  /** Where quantiles are asked for at fractions that are drawn: how many of them for each use. Each has one number then. */
  readonly fractions?: { readonly [use in Use]: number };
  /** The expected return, from numbers whose last axis are the atoms (absent if there is one). */
  mean(outputs: Tensor): Tensor;
  /** How far predictions are from `reward + discount · next`, one loss and one error for each row; at these fractions, if they were drawn. */
  compare(
    predicted: Tensor,
    next: Tensor,
    reward: Tensor,
    discount: Tensor,
    fractions?: Tensor,
  ): { loss: Tensor; error: Tensor };
}

/** What a network is asked for: what is to be learned, what it is learned from, or which action is best. */
export type Use = "prediction" | "goal" | "choice";

/** A loss of one's own, from what the networks say of both states of each transition, and how wrong each estimate was. */
export type Comparison = (seen: {
  readonly online: { state(): Tensor; next(): Tensor };
  readonly target: { state(): Tensor; next(): Tensor };
  /** i32 [rows], from 0. */
  readonly action: Tensor;
  readonly reward: Tensor;
  readonly discount: Tensor;
  readonly nextMask?: Tree;
}) => { loss: Tensor; error: Tensor };

/** Half the squared error, or Huber's, which grows only in proportion beyond 1. */
export type Penalty = "squared" | "huber";

/** One number: the expected return (Watkins, 1989; Mnih et al., 2015). */
export function expected(penalty: Penalty): ValueForm {
  return {
    atoms: 1,
    mean: (outputs) => outputs,
    compare(predicted, next, reward, discount) {
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
    compare(predicted, next, reward, discount) {
      const moved = clamp(add(expandDims(reward, 1), mul(expandDims(discount, 1), support())), low, high);
      // Each moved atom is shared between its two neighbours on the support, by nearness: [rows, to, from].
      const distance = abs(sub(expandDims(moved, 1), support().reshape([1, atoms, 1])));
      const share = clamp(sub(1, mul(distance, 1 / gap)), 0, 1);
      const target = sum(mul(share, expandDims(exp(logSoftmax(next)), 1)), -1);
      const loss = neg(sum(mul(target, logSoftmax(predicted)), -1));
      // The divergence: the loss less what even a perfect prediction would have of it.
      const entropy = neg(sum(mul(target, log(maximum(target, 1e-30))), -1));
      return { loss, error: maximum(sub(loss, entropy), 0) };
    },
  };
}

/** Equally likely returns: quantiles, learned by regression (Dabney et al., 2018): QR-DQN. */
export function quantiles({ atoms }: { atoms: number }): ValueForm {
  return {
    atoms,
    mean: (outputs) => mean(outputs, -1),
    compare(predicted, next, reward, discount) {
      return quantileHuber(predicted, next, reward, discount, middles(atoms).reshape([1, atoms, 1]));
    },
  };
}

/** The middles of so many equal parts of what lies between 0 and 1. */
export const middles = (count: number): Tensor => linspace(0.5 / count, 1 - 0.5 / count, count);

/** Quantiles at fractions that are drawn anew each time, by a network that is asked for them (Dabney et al., 2018): IQN. */
export function implicitQuantiles(fractions: { readonly [use in Use]: number }): ValueForm {
  return {
    atoms: 1,
    fractions,
    mean: (outputs) => mean(outputs, -1),
    compare(predicted, next, reward, discount, drawn) {
      if (!drawn) return fail("implicitQuantiles", "what was predicted is missing its fractions.");
      return quantileHuber(predicted, next, reward, discount, expandDims(drawn, 2));
    },
  };
}

/**
 * Huber's loss of each prediction against each target, tilted so that a prediction settles where its fraction of the targets lies below:
 * a sum over predictions of the mean over targets. `fractions` are [rows or 1, predictions, 1].
 */
function quantileHuber(
  predicted: Tensor,
  next: Tensor,
  reward: Tensor,
  discount: Tensor,
  fractions: Tensor,
): { loss: Tensor; error: Tensor } {
  const target = add(expandDims(reward, 1), mul(expandDims(discount, 1), next));
  // [rows, predicted, target]
  const error = sub(expandDims(target, 1), expandDims(predicted, 2));
  const tilt = where(lt(error, 0), sub(1, fractions), fractions);
  const loss = sum(mean(mul(tilt, huber(error)), -1), -1);
  return { loss, error: abs(sub(mean(target, -1), mean(predicted, -1))) };
}
