import { real } from "@reins/tensor";
import type { Generator } from "../numpy/index.ts";
import { choleskyFactor } from "./cholesky.ts";

/** One component of a mixture. */
export interface MixtureComponent {
  readonly weight: number;
  readonly mean: Float64Array;
  readonly covariance: readonly Float64Array[];
}

/** A mixture of normal distributions, and how well it fits. */
export interface GaussianMixture {
  readonly parts: readonly MixtureComponent[];
  readonly logLikelihood: number;
  /** Akaike information criterion (lower is better). */
  readonly criterion: number;
}

/** Added to variances, so that none vanishes. */
const least = 1e-6;

/** Fits a mixture of `count` normal distributions with full covariances, by expectation maximisation (Dempster et al., 1977) from random points as means. */
export function fitGaussianMixture(
  points: readonly (readonly number[])[],
  count: number,
  random: Generator,
  iterations = 15,
): GaussianMixture {
  const d = points[0].length;
  const order = random.permutation(points.length);
  const all = partOf(
    points,
    points.map(() => 1),
  );
  let parts: MixtureComponent[] = Array.from({ length: count }, (_, k) => ({
    weight: 1 / count,
    mean: Float64Array.from(points[order[k % points.length]]),
    covariance: all.covariance,
  }));
  let logLikelihood = 0;
  const logs = new Float64Array(count);
  const shares = parts.map(() => new Float64Array(points.length));
  for (let i = 0; i < iterations; i++) {
    const densities = parts.map((part) => densityOf(part));
    logLikelihood = 0;
    for (let n = 0; n < points.length; n++) {
      let [most, sum] = [Number.NEGATIVE_INFINITY, 0];
      for (let k = 0; k < count; k++) most = Math.max(most, (logs[k] = densities[k](points[n])));
      for (let k = 0; k < count; k++) sum += shares[k][n] = real.exp(logs[k] - most);
      for (let k = 0; k < count; k++) shares[k][n] /= sum;
      logLikelihood += most + real.log(sum);
    }
    parts = shares.map((share) => partOf(points, share));
  }
  const parameters = count * (1 + d + (d * (d + 1)) / 2) - 1;
  return { parts, logLikelihood, criterion: 2 * parameters - 2 * logLikelihood };
}

/** Samples a point of a component, in its first `dimensions` numbers. */
export function sampleComponent(
  { mean, covariance }: MixtureComponent,
  dimensions: number,
  random: Generator,
): number[] {
  const factor = choleskyFactor(
    covariance.slice(0, dimensions).map((row) => [...row.subarray(0, dimensions)]),
  );
  const z = Array.from({ length: dimensions }, () => random.standardNormal());
  return z.map((_, i) => mean[i] + z.slice(0, i + 1).reduce((sum, x, j) => sum + factor[i][j] * x, 0));
}

/** Weight, mean and covariance of points that belong to a component by shares. */
function partOf(points: readonly (readonly number[])[], shares: ArrayLike<number>): MixtureComponent {
  const d = points[0].length;
  const mean = new Float64Array(d);
  const covariance = Array.from({ length: d }, () => new Float64Array(d));
  let total = 1e-9;
  for (let n = 0; n < points.length; n++) {
    total += shares[n];
    for (let i = 0; i < d; i++) mean[i] += shares[n] * points[n][i];
  }
  for (let i = 0; i < d; i++) mean[i] /= total;
  for (let n = 0; n < points.length; n++)
    for (let i = 0; i < d; i++)
      for (let j = 0; j <= i; j++)
        covariance[i][j] += (shares[n] * (points[n][i] - mean[i]) * (points[n][j] - mean[j])) / total;
  for (let i = 0; i < d; i++) {
    covariance[i][i] += least;
    for (let j = 0; j < i; j++) covariance[j][i] = covariance[i][j];
  }
  return { weight: total / points.length, mean, covariance };
}

/** The log of weight times density, as a function of a point. */
function densityOf({ weight, mean, covariance }: MixtureComponent): (point: readonly number[]) => number {
  const factor = choleskyFactor(covariance.map((row) => [...row]));
  const d = mean.length;
  const offset =
    real.log(weight) -
    factor.reduce((s, row, i) => s + real.log(row[i]), 0) -
    0.5 * d * real.log(2 * Math.PI);
  const z = new Float64Array(d);
  return (point) => {
    let squares = 0;
    for (let i = 0; i < d; i++) {
      let left = point[i] - mean[i];
      for (let j = 0; j < i; j++) left -= factor[i][j] * z[j];
      z[i] = left / factor[i][i];
      squares += z[i] * z[i];
    }
    return offset - 0.5 * squares;
  };
}
