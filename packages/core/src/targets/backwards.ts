import { add, concat, mul, scan, slice, sum, type Tensor, zeros } from "@reins/tensor";

/** y[t] = addend[t] + factor[t] · y[t + 1] along the first axis, with 0 after the end: the recursion of all λ-weighted targets. */
export function backwards(addend: Tensor, factor: Tensor): Tensor {
  const { ys } = scan(
    (later: Tensor, [a, f]: readonly [Tensor, Tensor]) => {
      const y = add(a, mul(f, later));
      return [y, y];
    },
    zeros(addend.shape.slice(1)),
    [addend, factor] as const,
    { reverse: true },
  );
  return ys;
}

/** Shifts by one step: each step gets the value of the next one; the last step gets that of `after` ([time, …]). */
export function following(x: Tensor, after: Tensor): Tensor {
  const [time] = x.shape;
  const last = slice(after, [[time - 1, time]]);
  return time === 1 ? last : concat([slice(x, [[1, time]]), last]);
}

/** The reward as one number per step. Components are summed, as in an episode's return. */
export function rewardOf({ reward, done }: { reward: Tensor; done: Tensor }): Tensor {
  return reward.rank > done.rank ? sum(reward, -1) : reward;
}
