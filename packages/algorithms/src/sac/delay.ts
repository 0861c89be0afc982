import { when } from "@reins/core";
import { add, eq, mod, random, sub, type Tensor, type Tree } from "@reins/tensor";

/** Runs `turns` updates every `every` updates; otherwise returns the state unchanged. */
export function delayed<S extends Tree>(
  { every, turns }: { readonly every: number; readonly turns: number },
  count: Tensor,
  state: S,
  turn: (state: S, key: Tensor) => S,
  key: Tensor,
): S {
  const due = eq(mod(count, every), 0);
  const step = ({ state: s, time }: { state: S; time: Tensor }) => ({
    state: turn(s, random.foldKey(key, time)),
    time: add(time, 1),
  });
  return when(due, step, { state, time: sub(count, count) }, turns).state;
}
