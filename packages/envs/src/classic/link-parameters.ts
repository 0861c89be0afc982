import type { Pair } from "../kernels/pair.ts";
import type { Rows } from "../kernels/rows.ts";

/**
 * Parameters of two links that a context may change, with Gymnasium's values. Centres of mass are in the middle;
 * `moment` is that of each link.
 */
export const linkParameters = {
  gravity: 9.8,
  length1: 1,
  length2: 1,
  mass1: 1,
  mass2: 1,
  moment: 1,
  torque: 1,
};

/** Parameter names in the kernels' order. */
export const linkParameterNames = Object.keys(linkParameters) as (keyof typeof linkParameters)[];

/**
 * Accelerations of both links with per-row parameters: Sutton and Barto's equations, which give Gymnasium's bits
 * with its values.
 */
export function variedAccelerations(k: Rows, w1: Pair, w2: Pair, sin2: Pair, cos2: Pair): [Pair, Pair] {
  const [gravity, l1, l2, m1, m2, moment, strength] = linkParameterNames.map((name) => k.load(name));
  const [cosBoth, cosFirst] = [k.load("cos1"), k.load("cos2")];
  const torque = k.loadIntegers("actions").sub(1).mul(strength);
  const [c1, c2] = [l1.mul(0.5), l2.mul(0.5)];
  const both = l1.mul(c2);
  const near = l1.mul(l1).add(c2.mul(c2)).add(both.mul(2).mul(cos2));
  const d1 = m2
    .mul(near)
    .add(m1.mul(c1.mul(c1)))
    .add(moment)
    .add(moment);
  const own = m2.mul(c2.mul(c2));
  const d2 = m2.mul(c2.mul(c2).add(both.mul(cos2))).add(moment);
  const lever = m2.mul(both);
  const phi2 = m2.mul(c2).mul(gravity).mul(cosBoth);
  const pulls = lever
    .neg()
    .mul(w2.mul(w2))
    .mul(sin2)
    .sub(lever.mul(2).mul(w2.mul(w1)).mul(sin2));
  const phi1 = pulls.add(m1.mul(c1).add(m2.mul(l1)).mul(gravity).mul(cosFirst)).add(phi2);
  const moved = torque
    .add(d2.div(d1).mul(phi1))
    .sub(lever.mul(w1.mul(w1)).mul(sin2))
    .sub(phi2);
  const second = moved.div(own.add(moment).sub(d2.mul(d2).div(d1)));
  return [d2.mul(second).add(phi1).neg().div(d1), second];
}
