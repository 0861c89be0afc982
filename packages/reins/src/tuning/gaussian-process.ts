import { choleskyFactor, solveLower, solveUpper } from "@reins/core/evaluations";
import { real } from "@reins/tensor";

/** A Gaussian process (Rasmussen and Williams, 2006) with the Matérn kernel, ν = 5/2. */
export class GaussianProcess {
  private readonly points: readonly (readonly number[])[];
  private readonly length: number;
  private readonly mean: number;
  private readonly deviation: number;
  /** The Cholesky factor of the kernel matrix, and its inverse applied to the values. */
  private readonly factor: readonly Float64Array[];
  private readonly weights: Float64Array;

  /** Points are in the unit cube; `noise` is the share of the values' variance that is noise. */
  constructor(
    points: readonly (readonly number[])[],
    values: readonly number[],
    length: number,
    noise: number,
  ) {
    this.points = points;
    this.length = length;
    this.mean = values.reduce((a, b) => a + b, 0) / values.length;
    const squares = values.reduce((sum, v) => sum + (v - this.mean) ** 2, 0);
    this.deviation = Math.sqrt(squares / values.length) || 1;
    this.factor = choleskyFactor(
      points.map((p, i) => points.map((q, j) => this.kernel(p, q) + (i === j ? noise + 1e-8 : 0))),
    );
    const scaled = values.map((v) => (v - this.mean) / this.deviation);
    this.weights = solveUpper(this.factor, solveLower(this.factor, scaled));
  }

  /** Posterior mean and standard deviation at a point. */
  at(point: readonly number[]): { readonly mean: number; readonly deviation: number } {
    const k = this.points.map((p) => this.kernel(p, point));
    const mean = k.reduce((sum, v, i) => sum + v * this.weights[i], 0);
    const explained = solveLower(this.factor, k).reduce((sum, v) => sum + v * v, 0);
    const deviation = Math.sqrt(Math.max(1e-12, 1 - explained));
    return { mean: this.mean + this.deviation * mean, deviation: this.deviation * deviation };
  }

  /** Log marginal likelihood up to a constant, to choose the length scale. */
  get evidence(): number {
    const fit = forwardSquares(this.factor, this.weights);
    const volume = this.factor.reduce((sum, row, i) => sum + real.log(row[i]), 0);
    return -0.5 * fit - volume;
  }

  private kernel(p: readonly number[], q: readonly number[]): number {
    const squared = p.reduce((sum, x, i) => sum + (x - q[i]) ** 2, 0);
    const r = Math.sqrt(5 * squared) / this.length;
    return (1 + r + (r * r) / 3) * real.exp(-r);
  }
}

/** Candidate length scales, in units of the whole range, and noise shares. */
const [lengths, noises] = [
  [0.1, 0.2, 0.4, 0.8, 1.6],
  [0.01, 0.1, 0.4],
];

/** The process with the length scale and noise of the highest likelihood. */
export function fitGaussianProcess(
  points: readonly (readonly number[])[],
  values: readonly number[],
): GaussianProcess {
  const all = lengths.flatMap((l) => noises.map((n) => new GaussianProcess(points, values, l, n)));
  return all.reduce((a, b) => (b.evidence > a.evidence ? b : a));
}

/** yᵀ K⁻¹ y, from the weights K⁻¹ y: the squares of Lᵀ weights. */
function forwardSquares(factor: readonly Float64Array[], weights: Float64Array): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    let sum = 0;
    for (let k = i; k < weights.length; k++) sum += factor[k][i] * weights[k];
    total += sum * sum;
  }
  return total;
}
