import { real } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Schedule } from "../signal.ts";
import type { Mechanism } from "./mechanism.ts";

/** The mechanism of a schedule: its value at a progress between 0 and 1. */
export function schedule(s: Schedule): Mechanism {
  const at = formula(s);
  return { initial: at(0), at };
}

function formula(s: Schedule): (progress: number) => number {
  switch (s.signal) {
    case "linear":
      return over(s, (x) => s.from + (s.to - s.from) * x);
    case "cosine":
      return over(s, (x) => s.to + ((s.from - s.to) * (1 + real.cos(Math.PI * x))) / 2);
    case "exponential":
      if (!(s.from > 0 && s.to > 0))
        fail("exponential", `${s.from} to ${s.to} must both be above 0. Use linear to reach 0.`);
      return over(s, (x) => s.from * real.pow(s.to / s.from, x));
    case "piecewise":
      return pieces(s.points);
    case "warmup": {
      const { then } = s;
      if (typeof then !== "number" && !isSchedule(then))
        fail("warmup", `cannot be followed by ${then.signal}. Use a number or a schedule.`);
      const after = typeof then === "number" ? () => then : formula(then);
      return (progress) => after(progress) * Math.min(1, s.over > 0 ? progress / s.over : 1);
    }
  }
}

function over(s: { signal: string; over?: number }, f: (x: number) => number): (progress: number) => number {
  const share = s.over ?? 1;
  if (!(share > 0 && share <= 1))
    fail(s.signal, `over is ${share}; it must be a fraction of the run, above 0 and at most 1.`);
  return (progress) => f(Math.min(1, Math.max(0, progress / share)));
}

function pieces(points: readonly (readonly [number, number])[]): (progress: number) => number {
  if (points.length === 0) fail("piecewise", "got no points. Pass pairs of progress and value.");
  for (let i = 1; i < points.length; i++)
    if (points[i][0] < points[i - 1][0]) fail("piecewise", "points must be in order of progress.");
  return (progress) => {
    const i = points.findIndex(([x]) => x > progress);
    if (i === 0) return points[0][1];
    if (i < 0) return points[points.length - 1][1];
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
    return y0 + ((y1 - y0) * (progress - x0)) / (x1 - x0);
  };
}

/** Whether a signal follows progress alone. */
export function isSchedule(s: { signal: string }): s is Schedule {
  return ["linear", "cosine", "exponential", "piecewise", "warmup"].includes(s.signal);
}
