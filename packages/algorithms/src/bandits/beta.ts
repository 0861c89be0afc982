import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** Samples from the beta distribution, as the ratio of one gamma variable to the sum of two. */
export function drawBeta(a: number, b: number, random: Generator): number {
  const x = drawGamma(a, random);
  const y = drawGamma(b, random);
  return x + y > 0 ? x / (x + y) : a / (a + b);
}

/**
 * Samples from the gamma distribution of scale 1: Marsaglia and Tsang, "A Simple Method for Generating Gamma
 * Variables" (2000).
 */
export function drawGamma(shape: number, random: Generator): number {
  // The method needs a shape of at least 1; a smaller shape is sampled as a larger one times a power of a uniform
  // number.
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random.random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.standardNormal();
    const t = 1 + c * x;
    if (t <= 0) continue;
    const v = t * t * t;
    const u = 1 - random.random();
    // The first test accepts nearly all samples and avoids the logarithms.
    if (u < 1 - 0.0331 * x * x * x * x) return d * v;
    if (real.log(u) < 0.5 * x * x + d - d * v + d * real.log(v)) return d * v;
  }
}
