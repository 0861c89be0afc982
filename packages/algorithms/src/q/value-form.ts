import {
  abs,
  add,
  clamp,
  exp,
  expandDims,
  huber,
  linspace,
  logSoftmax,
  lt,
  mean,
  mul,
  neg,
  square,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";

/** What a network's numbers for an action mean: its value, or the distribution of its return. */
export interface ValueForm {
  /** Numbers for each action. */
  readonly atoms: number;
  /** The expected return, from numbers whose last axis are the atoms (absent if there is one). */
  mean(outputs: Tensor): Tensor;
  /** How far predictions are from `reward + discount · next`, one loss and one error for each row. */
  compare(predicted: Tensor, next: Tensor, reward: Tensor, discount: Tensor): { loss: Tensor; error: Tensor };
}

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
      return { loss, error: loss };
    },
  };
}

/** Equally likely returns: quantiles, learned by regression (Dabney et al., 2018): QR-DQN. */
export function quantiles({ atoms }: { atoms: number }): ValueForm {
  return {
    atoms,
    mean: (outputs) => mean(outputs, -1),
    compare(predicted, next, reward, discount) {
      const target = add(expandDims(reward, 1), mul(expandDims(discount, 1), next));
      // [rows, predicted, target]
      const error = sub(expandDims(target, 1), expandDims(predicted, 2));
      const middle = linspace(0.5 / atoms, 1 - 0.5 / atoms, atoms).reshape([1, atoms, 1]);
      const tilt = where(lt(error, 0), sub(1, middle), middle);
      const loss = sum(mean(mul(tilt, huber(error)), -1), -1);
      return { loss, error: abs(sub(mean(target, -1), mean(predicted, -1))) };
    },
  };
}
