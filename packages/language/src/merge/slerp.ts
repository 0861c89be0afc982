import { real } from "@reins/tensor";

/** Cosine above which two tensors are parallel, and the line between them is as good as the arc. */
const parallel = 0.9995;

/** The point at `t` on the arc from `a` to `b`: spherical linear interpolation (Shoemake, 1985). */
export function slerp(a: Float32Array, b: Float32Array, t: number): Float32Array {
  const cosine = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  // NaN: one of the two is 0.
  const flat = !(Math.abs(cosine) <= parallel);
  const angle = flat ? 0 : angleOf(cosine);
  const [from, to] = flat
    ? [1 - t, t]
    : [real.sin((1 - t) * angle) / real.sin(angle), real.sin(t * angle) / real.sin(angle)];
  return a.map((x, i) => from * x + to * b[i]);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** The angle with a cosine, by Newton's method: `Math.acos` has other bits in other engines. */
function angleOf(cosine: number): number {
  let angle = Math.PI / 2 - cosine;
  for (let i = 0; i < 30; i++) angle += (real.cos(angle) - cosine) / real.sin(angle);
  return angle;
}
