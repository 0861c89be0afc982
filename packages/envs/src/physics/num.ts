import { add, clamp, cos, div, mul, neg, real, sin, sqrt, sub, type Tensor } from "@reins/tensor";

/**
 * A number of the physics: a constant of the traced program, or one per row. Constants are folded, and zero terms
 * vanish, so a body costs no more than its parts. Rendering computes the same formulas with plain numbers.
 */
export type Num = number | Tensor;

/** A vector in the plane; z is up where there is an up. */
export interface Vec {
  readonly x: Num;
  readonly z: Num;
}

/** The sum of all terms. */
export const plus = (...terms: readonly Num[]): Num => terms.reduce(plusOne, 0);

function plusOne(a: Num, b: Num): Num {
  if (a === 0) return b;
  if (b === 0) return a;
  return typeof a === "number" && typeof b === "number" ? a + b : add(a, b);
}

/** a − b. */
export function minus(a: Num, b: Num): Num {
  if (b === 0) return a;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return a === 0 ? neg(b as Tensor) : sub(a, b);
}

/** a · b. */
export function times(a: Num, b: Num): Num {
  if (a === 0 || b === 0) return 0;
  if (a === 1) return b;
  if (b === 1) return a;
  return typeof a === "number" && typeof b === "number" ? a * b : mul(a, b);
}

/** a / b. */
export function over(a: Num, b: Num): Num {
  if (a === 0 || b === 1) return a;
  return typeof a === "number" && typeof b === "number" ? a / b : div(a, b);
}

/** a². */
export const squared = (a: Num): Num => times(a, a);

/** √a. */
export const root = (a: Num): Num => (typeof a === "number" ? Math.sqrt(a) : sqrt(a));

/** a between two bounds. */
export const between = (a: Num, low: number, high: number): Num =>
  typeof a === "number" ? Math.min(Math.max(a, low), high) : clamp(a, low, high);

/** The sine of an angle. */
export const sine = (a: Num): Num => (typeof a === "number" ? real.sin(a) : sin(a));

/** The cosine of an angle. */
export const cosine = (a: Num): Num => (typeof a === "number" ? real.cos(a) : cos(a));

/** u + w. */
export const shifted = (u: Vec, w: Vec): Vec => ({ x: plus(u.x, w.x), z: plus(u.z, w.z) });

/** u − w. */
export const apart = (u: Vec, w: Vec): Vec => ({ x: minus(u.x, w.x), z: minus(u.z, w.z) });

/** u · factor. */
export const scaled = (u: Vec, factor: Num): Vec => ({ x: times(u.x, factor), z: times(u.z, factor) });

/** The moment of a force at an arm, counterclockwise. */
export const moment = (arm: Vec, force: Vec): Num => minus(times(arm.x, force.z), times(arm.z, force.x));

/** The velocity of a point at an arm under rotation. */
export const swept = (spin: Num, arm: Vec): Vec => ({
  x: minus(0, times(spin, arm.z)),
  z: times(spin, arm.x),
});

/** The vector rotated by an angle, given its sine and cosine. */
export const turned = ([x, z]: readonly [number, number], s: Num, c: Num): Vec => ({
  x: minus(times(c, x), times(s, z)),
  z: plus(times(s, x), times(c, z)),
});
