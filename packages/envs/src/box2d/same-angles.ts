import { cosOf, sinOf } from "../libm/trigonometry.ts";

const io = new Float64Array(2);

function sin(angle: number): number {
  io[0] = angle;
  sinOf(io, 0, 1);
  return io[1];
}

function cos(angle: number): number {
  io[0] = angle;
  cosOf(io, 0, 1);
  return io[1];
}

/** The angle of a point, of which `turned` asks how far it still is from an estimate: that, twice, leaves nothing. */
function atan2(y: number, x: number): number {
  const length = Math.sqrt(x * x + y * y);
  if (length === 0) return 0;
  const [s, c] = [y / length, x / length];
  const turned = (angle: number) => angle + s * cos(angle) - c * sin(angle);
  // Within 0.3° of the angle in an eighth of the circle, mirrored into the others.
  const [small, large] = Math.abs(s) < Math.abs(c) ? [Math.abs(s), Math.abs(c)] : [Math.abs(c), Math.abs(s)];
  const t = small / large;
  let angle = t * (0.97239411 - 0.19194795 * t * t);
  if (Math.abs(s) > Math.abs(c)) angle = Math.PI / 2 - angle;
  if (c < 0) angle = Math.PI - angle;
  if (s < 0) angle = -angle;
  return turned(turned(angle));
}

/**
 * Loads what keeps `Math.sin` and its like for itself, and gives it ours: engines differ in their last bits between machines, and
 * after some seconds a body that would have walked falls.
 */
export function withSameAngles<T>(load: () => T): T {
  const theirs = { sin: Math.sin, cos: Math.cos, atan2: Math.atan2 };
  Object.assign(Math, { sin, cos, atan2 });
  try {
    return load();
  } finally {
    Object.assign(Math, theirs);
  }
}
