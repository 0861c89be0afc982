import {
  abs,
  add,
  clamp,
  exp,
  huber,
  log,
  maximum,
  mul,
  neg,
  reshape,
  slice,
  stopGradient,
  sub,
  type Tensor,
} from "@reins/tensor";
import type { ValueForm } from "./value-form.ts";

/** An increasing function that a network's values go through, and its inverse. */
export interface TensorMapping {
  to(value: Tensor): Tensor;
  from(mapped: Tensor): Tensor;
}

/** Mappings for {@link mappedForm}: `linear` changes nothing; `log` gives values that differ by factors as much room as those that differ by sums, and 0 stays 0. */
export const tensorMappings = {
  linear: (): TensorMapping => ({ to: (x) => x, from: (y) => y }),
  /** c · ln(x / floor + 1). A larger `scale`, c, makes errors count more. */
  log: (floor: number, scale = 0.5): TensorMapping => ({
    to: (x) => mul(log(add(mul(maximum(x, 0), 1 / floor), 1)), scale),
    from: (y) => mul(sub(exp(mul(y, 1 / scale)), 1), floor),
  }),
};

/** Settings of {@link mappedForm}. */
export interface MappedFormOptions {
  readonly gains: TensorMapping;
  readonly losses: TensorMapping;
  /** Share of an error that is learned among values, before it is mapped: less averages more over chance (0.01 to 1). */
  readonly regularRate: number;
  /** The most that gains or losses can come to: nothing beyond it is believed. */
  readonly most: number;
}

/**
 * Two numbers for each action, what it gains and what it loses, each learned through a mapping of its own; its value is their difference. Fatemi and Tavakoli,
 * "Orchestrated Value Mapping for Reinforcement Learning" (2022), with two channels: gains through a logarithm and losses as they are make their LogLinDQN.
 * Rewards of several steps would be split by the sign of their sum, so it is for one.
 */
export function mappedForm({ gains, losses, regularRate, most }: MappedFormOptions): ValueForm {
  const channels = [
    { ...gains, weight: 1 },
    { ...losses, weight: -1 },
  ];
  /** One channel's number of each row and action. */
  const of = (outputs: Tensor, i: number) => {
    const before = outputs.shape.slice(0, -1);
    return reshape(slice(outputs, [...before.map(() => null), [i, i + 1]]), before);
  };
  const value = (outputs: Tensor, i: number) => channels[i].from(of(outputs, i));
  return {
    atoms: channels.length,
    mean: (outputs) => sub(value(outputs, 0), value(outputs, 1)),
    compare(predicted, next, reward, discount) {
      const parts = channels.map(({ to, weight }, i) => {
        const now = clamp(value(predicted, i), 0, most);
        const earned = maximum(weight > 0 ? reward : neg(reward), 0);
        const goal = add(earned, mul(discount, clamp(value(next, i), 0, most)));
        const averaged = stopGradient(add(now, mul(sub(goal, now), regularRate)));
        return { loss: huber(sub(of(predicted, i), to(averaged))), error: mul(sub(now, goal), weight) };
      });
      return {
        loss: add(parts[0].loss, parts[1].loss),
        error: abs(add(parts[0].error, parts[1].error)),
      };
    },
  };
}
