import { cast, compile, le, neg, sqrt, square, sub, sum, type Tensor, where, zeros } from "@reins/tensor";
import type { Goals } from "./env.ts";
import type { Space } from "./space.ts";

/** Length of the goal vector; undefined if the observations are not a dict with goals. */
export function goalSize(observation: Space): number | undefined {
  if (observation.kind !== "dict") return undefined;
  const { achieved, desired } = observation.spaces;
  if (!achieved || JSON.stringify(achieved) !== JSON.stringify(desired)) return undefined;
  if (achieved.kind === "multiBinary") return achieved.n;
  return achieved.kind === "box" ? achieved.shape.reduce((n, d) => n * d, 1) : undefined;
}

/** Reward of a step that led to `achieved` while the goal was `desired`, each [..., n]; used by environments and for relabelling. */
export function goalReward({ tolerance, reward }: Goals, achieved: Tensor, desired: Tensor): Tensor {
  const off = sub(cast(achieved, "f32"), cast(desired, "f32"));
  const distance = sqrt(sum(square(off), -1));
  return reward === "dense" ? neg(distance) : where(le(distance, tolerance), 0, -1);
}

/**
 * The goal reward on plain numbers, for relabelling and for environments that are not traced. `size` is the length of a goal. It
 * allocates nothing.
 */
export function goalRewardFor(
  goals: Goals,
  size: number,
): (achieved: ArrayLike<number>, desired: ArrayLike<number>) => number {
  const [from, to] = [zeros([size]), zeros([size])];
  const reward = compile((achieved: Tensor, desired: Tensor) => goalReward(goals, achieved, desired), {
    name: "goal reward",
    host: true,
  }).bind(from, to);
  return (achieved, desired) => {
    for (let i = 0; i < size; i++) {
      from.data[i] = achieved[i];
      to.data[i] = desired[i];
    }
    reward.run();
    return reward.result.data[0];
  };
}

/** Whether a step with this reward reached the goal; the last step of an episode decides whether it succeeded. */
export function goalReached(goals: Goals, reward: number): boolean {
  // Rewards are float32, and so is the threshold that they were compared with.
  return goals.reward === "dense" ? -reward <= Math.fround(goals.tolerance) : reward === 0;
}
