import { cast, scan, type Tensor, type Tree } from "@reins/tensor";

/**
 * Traced: `change(state)` if the condition holds at run time, else `state` unchanged. The change is a loop that runs `times` times
 * or not at all, so a change that is not needed costs nothing.
 */
export function when<T extends Tree>(condition: Tensor, change: (state: T) => T, state: T, times = 1): T {
  const count = cast(condition, "i32").mul(times);
  return scan((s: T) => [change(s), {}] as const, state, {}, { length: times, count }).carry;
}
