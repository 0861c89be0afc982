import { type Box, type EnvSpec, fail } from "@reins/core";
import { rangeOf, stretchTo } from "@reins/core/policies";
import { div, eq, sub, type Tensor, where } from "@reins/tensor";

/** Bounded actions as networks see them, between -1 and 1, and as the environment does. */
export interface Scaled {
  readonly size: number;
  execute(inner: Tensor): Tensor;
  inner(executed: Tensor): Tensor;
}

/** The scaling of a box action space. */
export function scaled(name: string, spec: EnvSpec): Scaled {
  const space = spec.action as Box;
  if (space.shape.length !== 1)
    fail(name, `${spec.id} has actions of shape [${space.shape}]; ${name} supports one-dimensional actions.`);
  const { low, high } = space;
  const at = (bound: number | readonly number[], i: number) => (typeof bound === "number" ? bound : bound[i]);
  for (let i = 0; i < space.shape[0]; i++)
    if (!Number.isFinite(at(high, i) - at(low, i)))
      fail(
        name,
        `number ${i} of the actions of ${spec.id} is between ${at(low, i)} and ${at(high, i)}, but ${name} needs two finite bounds. Set them in the action space, or use ppo.`,
      );
  const { middle, half } = rangeOf(space);
  // An element whose bounds are equal is 0 for networks, not 0 / 0.
  const width = where(eq(half, 0), 1, half);
  return {
    size: space.shape[0],
    execute: stretchTo(space),
    inner: (executed) => div(sub(executed, middle), width),
  };
}
