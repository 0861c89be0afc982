import { add, concat, mul, scan, slice, sum, type Tensor, zeros } from "@reins/tensor";

/** y[t] = addend[t] + factor[t] · y[t + 1] along the first axis, with nothing after the end: what all λ-weighted targets are made of. */
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

/** Each step's value replaced by the one of the step after it; the last step gets that of `after` ([time, …]) instead. */
export function following(x: Tensor, after: Tensor): Tensor {
  const [time] = x.shape;
  const last = slice(after, [[time - 1, time]]);
  return time === 1 ? last : concat([slice(x, [[1, time]]), last]);
}

/** The reward as one number a step. Several components count as their sum, as they do in an episode's return. */
export function rewardOf({ reward, done }: { reward: Tensor; done: Tensor }): Tensor {
  return reward.rank > done.rank ? sum(reward, -1) : reward;
}
