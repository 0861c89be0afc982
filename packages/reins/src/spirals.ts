import { add, cast, cos, iota, mod, mul, random, sin, sqrt, stack, type Tensor } from "@reins/tensor";

/** Labelled points of the plane: f32 [count, 2], and the class of each, i32 [count], 0 or 1. */
export type Points = { points: Tensor; labels: Tensor };

/** How often each spiral winds around the middle; more are harder to learn. */
const turns = 2.5;
/** Deviation of the points from their spiral. */
const blur = 0.02;

/** Random points of two spirals that wind around each other within the unit circle, half of them from each. */
export function spirals(key: Tensor, count: number): Points {
  const [k1, k2] = random.splitKey(key);
  const labels = mod(iota([count]), 2);
  // The root spreads points evenly over the area.
  const radius = sqrt(random.uniform(k1, [count], 0.01, 1));
  const angle = add(mul(radius, turns * 2 * Math.PI), mul(cast(labels, "f32"), Math.PI));
  const clean = stack([mul(radius, cos(angle)), mul(radius, sin(angle))], 1);
  return { points: add(clean, mul(random.normal(k2, [count, 2]), blur)), labels };
}
