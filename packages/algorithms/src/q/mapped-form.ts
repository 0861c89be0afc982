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

/** An increasing function applied to a network's values, and its inverse. */
export interface TensorMapping {
  to(value: Tensor): Tensor;
  from(mapped: Tensor): Tensor;
}

/**
 * Mappings for {@link mappedForm}: `linear` is the identity; `log` gives multiplicative differences as much
 * resolution as additive ones, and maps 0 to 0.
 */
export const tensorMappings = {
  linear: (): TensorMapping => ({ to: (x) => x, from: (y) => y }),
  /** c · ln(x / floor + 1). A larger `scale`, c, weights errors more. */
  log: (floor: number, scale = 0.5): TensorMapping => ({
    to: (x) => mul(log(add(mul(maximum(x, 0), 1 / floor), 1)), scale),
    from: (y) => mul(sub(exp(mul(y, 1 / scale)), 1), floor),
  }),
};

/** Settings of {@link mappedForm}. */
export interface MappedFormOptions {
  readonly gains: TensorMapping;
  readonly losses: TensorMapping;
  /** Step size in value space, before the mapping: lower averages more over noise (0.01 to 1). */
  readonly regularRate: number;
  /** Maximum of gains or losses: targets are clipped to it. */
  readonly most: number;
}

/**
 * Two outputs for each action, gains and losses, each learned through its own mapping; the value is their
 * difference. Fatemi and Tavakoli, "Orchestrated Value Mapping for Reinforcement Learning" (2022), with two
 * channels: logarithmic gains and linear losses make their LogLinDQN. n-step rewards would be split by the sign of
 * their sum, so it supports one step.
 */
export function mappedForm({ gains, losses, regularRate, most }: MappedFormOptions): ValueForm {
  const channels = [
    { ...gains, weight: 1 },
    { ...losses, weight: -1 },
  ];
  /** One channel's output for each row and action. */
  const of = (outputs: Tensor, i: number) => {
    const before = outputs.shape.slice(0, -1);
    return reshape(slice(outputs, [...before.map(() => null), [i, i + 1]]), before);
  };
  const value = (outputs: Tensor, i: number) => channels[i].from(of(outputs, i));
  return {
    atoms: channels.length,
    mean: (outputs) => sub(value(outputs, 0), value(outputs, 1)),
    compare(predicted, { next, reward, discount }) {
      const parts = channels.map(({ to, weight }, i) => {
        const now = clamp(value(predicted, i), 0, most);
        const rewardPart = maximum(weight > 0 ? reward : neg(reward), 0);
        const tdTarget = add(rewardPart, mul(discount, clamp(value(next, i), 0, most)));
        const averaged = stopGradient(add(now, mul(sub(tdTarget, now), regularRate)));
        return { loss: huber(sub(of(predicted, i), to(averaged))), error: mul(sub(now, tdTarget), weight) };
      });
      return {
        loss: add(parts[0].loss, parts[1].loss),
        error: abs(add(parts[0].error, parts[1].error)),
      };
    },
  };
}
