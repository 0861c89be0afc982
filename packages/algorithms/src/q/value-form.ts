import { choice, fail, type Given, size } from "@reins/core";
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
  type Tree,
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

/** The options about what is learned of a return, and how errors count. */
export const distributionRows = {
  distribution: choice<"none" | "categorical" | "quantile">(
    "none",
    ["none", "categorical", "quantile"],
    "What is learned of a return: its mean, or its distribution (C51, QR-DQN).",
  ),
  atoms: size(51, "Numbers for a distribution. More is finer and costs more (21 to 201).", {
    within: "count",
  }),
  low: size(-10, "Categorical: the lowest return it can express.", { within: "any" }),
  high: size(10, "Categorical: the highest. Choose both to just hold the discounted returns.", {
    within: "any",
  }),
  loss: choice<Penalty>(
    "squared",
    ["squared", "huber"],
    "Of errors. Huber grows less with large ones: steadier with wild rewards, but then rare ones count too little.",
  ),
};

/** The form that options describe. */
export function valueForm(o: Given<typeof distributionRows>): ValueForm {
  if (o.distribution === "quantile") return quantiles(o);
  if (o.distribution === "none") return expected(o.loss);
  if (!(o.high > o.low) || o.atoms < 2)
    fail(
      "dqn",
      `a distribution over ${o.atoms} returns from ${o.low} to ${o.high} is none. Set low < high, and 2 atoms or more.`,
    );
  return categorical(o);
}

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
