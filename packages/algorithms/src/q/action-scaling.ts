import { type Box, type EnvSpec, fail } from "@reins/core";
import { rangeOf } from "@reins/core/policies";
import { add, div, eq, mul, sub, type Tensor, where } from "@reins/tensor";

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
  const { middle, half } = rangeOf(space);
  // An element whose bounds are equal is 0 for networks, not 0 / 0.
  const width = where(eq(half, 0), 1, half);
  return {
    size: space.shape[0],
    execute: (inner) => add(mul(inner, half), middle),
    inner: (executed) => div(sub(executed, middle), width),
  };
}
