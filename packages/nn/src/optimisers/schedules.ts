import { add, cast, cos, exp, ge, maximum, minimum, mul, real, Tensor, where } from "@reins/tensor";
import { fail } from "../errors.ts";

/**
 * A number that changes with progress (0 to 1) or with a step count, depending on `over`, its duration. Numbers give numbers; tensors
 * give tensors, so that a schedule can be part of a compiled update.
 */
export interface OptimiserSchedule {
  (x: number): number;
  (x: Tensor): Tensor;
}

/** One formula for numbers and for tensors. */
function schedule(ofNumber: (x: number) => number, ofTensor: (x: Tensor) => Tensor): OptimiserSchedule {
  return ((x: number | Tensor) =>
    x instanceof Tensor ? ofTensor(cast(x, "f32")) : ofNumber(x)) as OptimiserSchedule;
}

/** Completed fraction, from 0 to 1. */
function share(over: number): OptimiserSchedule {
  if (!(over > 0)) fail("schedule", `over is ${over}; the duration of a schedule must be above 0.`);
  return schedule(
    (x) => Math.min(1, Math.max(0, x / over)),
    (x) => minimum(maximum(mul(x, 1 / over), 0), 1),
  );
}

/** Start, end and duration. */
export interface RampOptions {
  from: number;
  to: number;
  /** When `to` is reached: 1 for progress (default), or a number of steps. */
  over?: number;
}

/** A constant value. */
export function constant(value: number): OptimiserSchedule {
  return schedule(
    () => value,
    (x) => add(mul(x, 0), value),
  );
}

/** Linear interpolation, then constant. */
export function linear({ from, to, over = 1 }: RampOptions): OptimiserSchedule {
  const s = share(over);
  return schedule(
    (x) => from + (to - from) * s(x),
    (x) => add(mul(s(x), to - from), from),
  );
}

/** Interpolation along half a cosine: slow at both ends. */
export function cosine({ from, to, over = 1 }: RampOptions): OptimiserSchedule {
  const s = share(over);
  const middle = (from + to) / 2;
  return schedule(
    (x) => middle + ((from - to) / 2) * real.cos(Math.PI * s(x)),
    (x) => add(mul(cos(mul(s(x), Math.PI)), (from - to) / 2), middle),
  );
}

/** Exponential interpolation, then constant; both values must be above 0. */
export function exponential({ from, to, over = 1 }: RampOptions): OptimiserSchedule {
  if (!(from > 0 && to > 0))
    fail("exponential", `from ${from} and to ${to} must be above 0. Use linear() to reach 0.`);
  const s = share(over);
  const rate = real.log(to / from);
  return schedule(
    (x) => from * real.exp(rate * s(x)),
    (x) => mul(exp(mul(s(x), rate)), from),
  );
}

/** Piecewise constant: `[[0, 1e-3], [0.5, 1e-4]]` is 1e-3 up to a half and 1e-4 from there on. */
export function piecewise(pieces: readonly (readonly [start: number, value: number])[]): OptimiserSchedule {
  if (pieces.length === 0 || pieces.some(([start], i) => i > 0 && start <= pieces[i - 1][0])) {
    fail("piecewise", "expected at least one [start, value] piece, in ascending order of start.");
  }
  const first = pieces[0][1];
  return schedule(
    (x) => pieces.reduce((value, [start, next]) => (x >= start ? next : value), first),
    (x) => pieces.reduce((value, [start, next]) => where(ge(x, start), next, value), add(mul(x, 0), first)),
  );
}

/** `then`, multiplied by a factor that rises from 0 to 1 while `x` goes from 0 to `over`. */
export function warmUp(then: OptimiserSchedule, over: number): OptimiserSchedule {
  const s = share(over);
  return schedule(
    (x) => then(x) * s(x),
    (x) => mul(then(x), s(x)),
  );
}
