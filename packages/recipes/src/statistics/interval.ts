import { estimate, meanOf, normalProbability, normalQuantile } from "@reins/core/evaluations";

/** An estimate of a mean with its 95% interval. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly method: "t" | "bca" | "exact" | "rank";
}

/** Student's t interval, for approximately normal samples. */
export function tInterval(samples: readonly number[]): Interval {
  const { mean, interval } = estimate(samples);
  return { estimate: mean, low: interval[0], high: interval[1], method: "t" };
}

/** The 95% prediction interval of one more sample. */
export function predictionInterval(samples: readonly number[]): Pick<Interval, "low" | "high"> {
  const { estimate: mean, high } = tInterval(samples);
  // The interval of the mean is t s / √n wide; that of another sample t s √(1 + 1/n).
  const half = (high - mean) * Math.sqrt(samples.length + 1);
  return { low: mean - half, high: mean + half };
}

const resamples = 10_000;

/** The bias-corrected and accelerated bootstrap of the mean (Efron, 1987): for skewed samples. The same samples give the same interval. */
export function bcaInterval(samples: readonly number[]): Interval {
  const n = samples.length;
  const mean = meanOf(samples);
  if (n < 2)
    return { estimate: mean, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, method: "bca" };
  if (samples.every((s) => s === samples[0])) return { estimate: mean, low: mean, high: mean, method: "bca" };
  const random = generator(0x9e3779b9);
  const drawn = new Float64Array(n);
  const means = Float64Array.from({ length: resamples }, () => {
    for (let i = 0; i < n; i++) drawn[i] = samples[Math.floor(random() * n)];
    return meanOf(drawn);
  }).sort();
  const below = means.reduce((c, m) => c + (m < mean ? 1 : m === mean ? 0.5 : 0), 0);
  const bias = normalQuantile(Math.min(Math.max(below, 0.5), resamples - 0.5) / resamples);
  // Jackknife: how the mean changes when a sample is left out.
  const left = samples.map((s) => mean - (n * mean - s) / (n - 1));
  const cubes = left.reduce((a, d) => a + d ** 3, 0);
  const squares = left.reduce((a, d) => a + d ** 2, 0);
  const acceleration = squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
  const at = (probability: number) => {
    const shifted = bias + normalQuantile(probability);
    const level = normalProbability(bias + shifted / (1 - acceleration * shifted));
    return means[Math.min(resamples - 1, Math.max(0, Math.floor(level * resamples)))];
  };
  return { estimate: mean, low: at(0.025), high: at(0.975), method: "bca" };
}

/** Mulberry32: small, and good enough to sample indices. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
