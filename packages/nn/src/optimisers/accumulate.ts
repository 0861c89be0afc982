import { add, div, eq, mod, mul, scalar, type Tree, treeMap, where, zerosLike } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Optimiser } from "./optimiser.ts";

/**
 * An optimiser that accumulates the mean gradient over `count` calls and then makes one update, for batches larger than fit in memory.
 * In between, parameters do not change. Its `step` counts every call; its slots are the inner ones and `accumulated`.
 */
export function accumulate(inner: Optimiser, count: number): Optimiser {
  if (!Number.isInteger(count) || count < 1)
    fail("accumulate", `the count is ${count}; use an integer of at least 1.`);
  return {
    init: (params) => ({
      step: scalar(0, "i32"),
      slots: { ...inner.init(params).slots, accumulated: treeMap(zerosLike, params) },
    }),
    update(gradients, state, params, settings) {
      const { accumulated, ...slots } = state.slots;
      const sum = treeMap(
        (s, g) => (s.dtype === "f32" ? add(s, mul(g, 1 / count)) : s),
        accumulated,
        gradients,
      );
      const step = add(state.step, 1);
      const due = eq(mod(step, count), 0);
      const next = inner.update(sum, { step: div(state.step, count), slots }, params, settings);
      const choose = <T extends Tree>(after: T, before: T): T =>
        treeMap((a, b) => where(due, a, b), after, before);
      return {
        params: choose(next.params, params),
        state: {
          step,
          slots: {
            ...choose(next.state.slots, slots),
            accumulated: treeMap((s) => where(due, zerosLike(s), s), sum),
          },
        },
      };
    },
  };
}
