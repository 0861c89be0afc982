import { when } from "@reins/core";
import { add, eq, mod, random, sub, type Tensor, type Tree } from "@reins/tensor";

/** A state that is updated less often than others. */
interface Delayed<S extends Tree> {
  /** Updates so far. */
  readonly count: Tensor;
  readonly state: S;
  readonly turn: (state: S, key: Tensor) => S;
  readonly key: Tensor;
}

/** Runs `turns` updates every `every` updates; otherwise returns the state unchanged. */
export function delayed<S extends Tree>(
  { every, turns }: { readonly every: number; readonly turns: number },
  { count, state, turn, key }: Delayed<S>,
): S {
  const due = eq(mod(count, every), 0);
  const step = ({ state: s, time }: { state: S; time: Tensor }) => ({
    state: turn(s, random.foldKey(key, time)),
    time: add(time, 1),
  });
  return when(due, step, { state, time: sub(count, count) }, turns).state;
}
