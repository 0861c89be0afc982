import type { Bounds, Estimate } from "../evaluation.ts";
import { meanOf } from "./mean.ts";
import { proportionInterval } from "./proportion.ts";
import { studentQuantile } from "./student.ts";

/**
 * Mean, standard deviation and 95% confidence interval of some samples: Student's t interval, clipped to the bounds of the samples if
 * given; Wilson's interval of a proportion if the bounds are 0 and 1 and every sample is one of them. A bound that a sample
 * exceeds is ignored.
 */
export function estimate(samples: ArrayLike<number>, bounds?: Bounds): Estimate {
  const count = samples.length;
  const mean = meanOf(samples);
  let squares = 0;
  let [low, high] = bounds ?? unbounded;
  for (let i = 0; i < count; i++) {
    squares += (samples[i] - mean) ** 2;
    if (samples[i] < low) low = Number.NEGATIVE_INFINITY;
    if (samples[i] > high) high = Number.POSITIVE_INFINITY;
  }
  const std = count > 1 ? Math.sqrt(squares / (count - 1)) : 0;
  const interval =
    low === 0 && high === 1 && isBinary(samples)
      ? proportionInterval(Math.round(mean * count), count)
      : meanInterval({ mean, std, count }, [low, high]);
  return { mean, std, count, interval };
}

/** 95% confidence interval (Student's t) of a mean, within bounds; unbounded for fewer than two samples. */
export function meanInterval(
  { mean, std, count }: Pick<Estimate, "mean" | "std" | "count">,
  [low, high]: Bounds = unbounded,
): Bounds {
  const half =
    count > 1 ? (studentQuantile(0.975, count - 1) * std) / Math.sqrt(count) : Number.POSITIVE_INFINITY;
  return [Math.max(low, mean - half), Math.min(high, mean + half)];
}

/** Whether there are samples, and each is 0 or 1. */
const isBinary = (samples: ArrayLike<number>) =>
  samples.length > 0 && Array.from(samples).every((value) => value === 0 || value === 1);

const unbounded: Bounds = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
