import { add, mul, reshape, scan, slice, sub, type Tensor, where, zerosLike } from "@reins/tensor";
import { type Adjustable, over } from "../signals/live.ts";
import type { Stretch } from "../target.ts";

/** Settings of {@link gae}. */
export interface GaeOptions {
  /** Discount: how much a reward one step later is worth (0.9 to 0.999). Higher looks further ahead and varies more. */
  gamma: Adjustable;
  /** Mixes short and long estimates: 0 trusts the critic, 1 trusts the returns (0.9 to 0.98). */
  lambda: Adjustable;
}

/** Generalised advantage estimation (Schulman et al., 2016): columns `advantage` and `return`, [time, rows]. */
export function gae({ gamma, lambda }: GaeOptions) {
  return (s: Stretch) => {
    const g = over(gamma, s);
    const decay = mul(g, over(lambda, s));
    const delta = sub(add(s.reward, mul(where(s.terminated, 0, s.nextValue), g)), s.value);
    // Nothing flows back across the end of an episode, whatever ended it.
    const carryOn = where(s.done, 0, decay);
    const { ys } = scan(
      (later: Tensor, [d, c]: readonly [Tensor, Tensor]) => {
        const advantage = add(d, mul(c, later));
        return [advantage, advantage];
      },
      zerosLike(reshape(slice(s.value, [[0, 1]]), s.value.shape.slice(1))),
      [delta, carryOn] as const,
      { reverse: true },
    );
    return { advantage: ys, return: add(ys, s.value) };
  };
}

/** Discounted sums of rewards to the end of the episode, bootstrapped where the stretch was cut. */
export function discountedReturns({ gamma }: { gamma: Adjustable }) {
  const full = gae({ gamma, lambda: 1 });
  return (s: Stretch) => ({ return: full(s).return });
}
