// Math.sin and similar functions differ in the last bits between processors; sums, products and square roots do not.

/** A right angle in two parts: products of the first with whole numbers up to a million are exact. */
const right = 1.5707963267341256;
const rest = 6.077100506506192e-11;

/** The sine of an angle plus `quarters` right angles, by a Taylor series around the nearest right angle. */
function turned(angle: number, quarters: 0 | 1): number {
  const n = Math.round(angle / right);
  const x = angle - n * right - n * rest;
  const z = x * x;
  const quadrant = (n + quarters) & 3;
  const value =
    quadrant & 1
      ? 1 -
        z / 2 +
        z * z * (1 / 24 + z * (-1 / 720 + z * (1 / 40320 + z * (-1 / 3628800 + z * cosineRest(z)))))
      : x + x * z * (-1 / 6 + z * (1 / 120 + z * (-1 / 5040 + z * (1 / 362880 + z * sineRest(z)))));
  return quadrant & 2 ? -value : value;
}

const cosineRest = (z: number) => 1 / 479001600 + z * (-1 / 87178291200 + z / 20922789888000);
const sineRest = (z: number) => -1 / 39916800 + z * (1 / 6227020800 - z / 1307674368000);
const sin = (angle: number): number => turned(angle, 0);
const cos = (angle: number): number => turned(angle, 1);

/** The angle of a point: two refinement steps on an estimate leave no error. */
function atan2(y: number, x: number): number {
  const length = Math.sqrt(x * x + y * y);
  if (length === 0) return 0;
  const [s, c] = [y / length, x / length];
  const nearer = (angle: number) => angle + s * cos(angle) - c * sin(angle);
  // Within 0.3° of the angle in an eighth of the circle, mirrored into the others.
  const [small, large] = Math.abs(s) < Math.abs(c) ? [Math.abs(s), Math.abs(c)] : [Math.abs(c), Math.abs(s)];
  const t = small / large;
  let angle = t * (0.97239411 - 0.19194795 * t * t);
  if (Math.abs(s) > Math.abs(c)) angle = Math.PI / 2 - angle;
  if (c < 0) angle = Math.PI - angle;
  if (s < 0) angle = -angle;
  return nearer(nearer(angle));
}

/** Sine, cosine and atan2, accurate to one or two units in the last place and bit-identical on every machine. */
export const angles = { sin, cos, atan2 } as const;
