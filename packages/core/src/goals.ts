import { cast, compile, le, neg, sqrt, square, sub, sum, type Tensor, where, zeros } from "@reins/tensor";
import type { Goals } from "./env.ts";
import type { Space } from "./space.ts";

/** Numbers of a goal of such observations; undefined where they are no dict with goals that can be exchanged. */
export function goalSize(observation: Space): number | undefined {
  if (observation.kind !== "dict") return undefined;
  const { achieved, desired } = observation.spaces;
  if (!achieved || JSON.stringify(achieved) !== JSON.stringify(desired)) return undefined;
  if (achieved.kind === "multiBinary") return achieved.n;
  return achieved.kind === "box" ? achieved.shape.reduce((n, d) => n * d, 1) : undefined;
}

/** What a step pays that led to `achieved` while `desired` was wanted, each [..., n]: the one function for playing and for relabelling. */
export function goalReward({ tolerance, reward }: Goals, achieved: Tensor, desired: Tensor): Tensor {
  const off = sub(cast(achieved, "f32"), cast(desired, "f32"));
  const distance = sqrt(sum(square(off), -1));
  return reward === "dense" ? neg(distance) : where(le(distance, tolerance), 0, -1);
}

/**
 * The same function for plain numbers, as relabelling wants it and worlds that are no tensor operations: goals of `size` numbers in, what is
 * paid out. It allocates nothing.
 */
export function goalRewardFor(
  goals: Goals,
  size: number,
): (achieved: ArrayLike<number>, desired: ArrayLike<number>) => number {
  const [from, to] = [zeros([size]), zeros([size])];
  const paid = compile((achieved: Tensor, desired: Tensor) => goalReward(goals, achieved, desired), {
    name: "goal reward",
  }).bind(from, to);
  return (achieved, desired) => {
    for (let i = 0; i < size; i++) {
      from.data[i] = achieved[i];
      to.data[i] = desired[i];
    }
    paid.run();
    return paid.result.data[0];
  };
}

/** Whether a goal was reached by a step that paid so much; the last one of an episode tells whether it succeeded. */
export function goalReached(goals: Goals, reward: number): boolean {
  // Rewards are singles, and so is the bound that they were compared with.
  return goals.reward === "dense" ? -reward <= Math.fround(goals.tolerance) : reward === 0;
}
