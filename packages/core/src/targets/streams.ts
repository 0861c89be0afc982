import { add, mul, reshape, slice, stack, type Tensor } from "@reins/tensor";
import type { SettingValue } from "../signals/live.ts";
import type { Fragment, Target } from "../target.ts";
import { gae } from "./gae.ts";

/** Settings of {@link streams}. */
export interface StreamsOptions {
  /** The discount factor of each critic head. */
  readonly discounts: readonly number[];
  /** Weight of each head in the advantage (default 1). */
  readonly weights?: readonly number[];
  /** GAE λ, as in {@link gae}. */
  readonly lambda: SettingValue;
}

/**
 * GAE for a critic with several heads (`actorCritic({ streams })`), each with its own discount factor: one per component of
 * a vector reward (van Seijen et al., 2017), or one reward at several horizons (Fedus et al., 2019). Columns `return`, [time, rows, heads], and `advantage`,
 * [time, rows], their weighted sum, which the policy maximises.
 */
export function streams({
  discounts,
  weights,
  lambda,
}: StreamsOptions): Target<Fragment, "advantage" | "return"> {
  return (s) => {
    const several = s.reward.rank > s.done.rank;
    const parts = discounts.map((gamma, k) =>
      gae({ gamma, lambda })({
        ...s,
        reward: several ? head(s.reward, k) : s.reward,
        value: head(s.value, k),
        nextValue: head(s.nextValue, k),
      }),
    );
    const weighed = parts.map(({ advantage }, k) => mul(advantage, weights?.[k] ?? 1));
    return {
      advantage: weighed.reduce((sum, part) => add(sum, part)),
      return: stack(
        parts.map((part) => part.return),
        -1,
      ),
    };
  };
}

/** One entry of the last axis. */
function head(x: Tensor, k: number): Tensor {
  const leading = x.shape.slice(0, -1);
  return reshape(slice(x, [...leading.map(() => null), [k, k + 1] as const]), leading);
}
