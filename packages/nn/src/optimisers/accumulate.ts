import { add, eq, mul, scalar, type Tensor, treeMap, type Tree, where, zerosLike } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Optimiser } from "./optimiser.ts";

export type AccumulateState<S extends Tree> = { inner: S; sum: Tree; count: Tensor };

/**
 * An optimiser that collects the mean gradient of `steps` updates and then makes one: larger batches than fit in memory. In
 * between, parameters stay as they are.
 */
export function accumulate<S extends Tree>(inner: Optimiser<S>, steps: number): Optimiser<AccumulateState<S>> {
  if (!Number.isInteger(steps) || steps < 1) fail("accumulate", `steps is ${steps}; it is a whole number from 1.`);
  return {
    init: (params) => ({ inner: inner.init(params), sum: treeMap(zerosLike, params), count: scalar(0, "i32") }),
    update(gradients, state, params, settings) {
      const sum = treeMap((s, g) => (s.dtype === "f32" ? add(s, mul(g, 1 / steps)) : s), state.sum, gradients);
      const count = add(state.count, 1);
      const due = eq(count, steps);
      const next = inner.update(sum as typeof gradients, state.inner, params, settings);
      const choose = <T extends Tree>(after: T, before: T): T => treeMap((a, b) => where(due, a, b), after, before);
      return {
        params: choose(next.params, params),
        state: { inner: choose(next.state, state.inner), sum: treeMap((s) => where(due, zerosLike(s), s), sum), count: where(due, 0, count) },
      };
    },
  };
}
