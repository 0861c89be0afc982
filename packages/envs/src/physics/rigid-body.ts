import { minus, type Num, over, plus, root, squared, times } from "./num.ts";

/** Three numbers, one for each axis. */
export type Triple = readonly [Num, Num, Num];
/** A quaternion: the cosine of half the angle, then the axis times its sine. */
export type Quaternion = readonly [w: Num, x: Num, y: Num, z: Num];

/** u + w · factor. */
export const reached = (u: Triple, w: Triple, factor: Num): Triple => [
  plus(u[0], times(w[0], factor)),
  plus(u[1], times(w[1], factor)),
  plus(u[2], times(w[2], factor)),
];

/** The rows of a rotation matrix from the body frame to the world frame. */
export function matrixOf([w, x, y, z]: Quaternion): readonly [Triple, Triple, Triple] {
  const twice = (a: Num, b: Num, sign: 1 | -1, c: Num, d: Num): Num =>
    times(2, sign === 1 ? plus(times(a, b), times(c, d)) : minus(times(a, b), times(c, d)));
  const diagonal = (a: Num, b: Num): Num => minus(1, times(2, plus(squared(a), squared(b))));
  return [
    [diagonal(y, z), twice(x, y, -1, w, z), twice(x, z, 1, w, y)],
    [twice(x, y, 1, w, z), diagonal(x, z), twice(y, z, -1, w, x)],
    [twice(x, z, -1, w, y), twice(y, z, 1, w, x), diagonal(x, y)],
  ];
}

/**
 * Angular velocity after a time step, by Euler's equations in the principal axes of inertia; `spin` and `torque`
 * are in the body frame.
 */
export function spunUp(
  spin: Triple,
  inertia: readonly [number, number, number],
  torque: Triple,
  time: number,
): Triple {
  const gained = ([i, j, k]: readonly [0 | 1 | 2, 0 | 1 | 2, 0 | 1 | 2]): Num =>
    over(plus(torque[i], times(times(spin[j], spin[k]), inertia[j] - inertia[k])), inertia[i]);
  return reached(spin, [gained([0, 1, 2]), gained([1, 2, 0]), gained([2, 0, 1])], time);
}

/** A quaternion after a time step of rotation, normalised. */
export function turnedOn(from: Quaternion, spin: Triple, time: number): Quaternion {
  const [w, x, y, z] = from;
  const [a, b, c] = spin.map((one) => times(one, time / 2));
  const next: Quaternion = [
    minus(w, plus(times(x, a), times(y, b), times(z, c))),
    plus(x, times(w, a), minus(times(y, c), times(z, b))),
    plus(y, times(w, b), minus(times(z, a), times(x, c))),
    plus(z, times(w, c), minus(times(x, b), times(y, a))),
  ];
  const length = root(plus(...next.map(squared)));
  return [over(next[0], length), over(next[1], length), over(next[2], length), over(next[3], length)];
}
