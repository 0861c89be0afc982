import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";
import { diagonal, full } from "./covariance.ts";
import { fromBest, type Strategy } from "./strategy.ts";

/** Settings of {@link covarianceAdaptation}. */
export interface CovarianceAdaptationOptions {
  /** Initial standard deviation of each number. */
  readonly sigma: number;
  /** Population size. */
  readonly population: number;
  /** Maximum number of dimensions with a full covariance matrix. */
  readonly full: number;
}

/** The constants of the method, as recommended in Hansen's tutorial for this dimension and population size. */
function constants(n: number, population: number, separable: boolean) {
  const count = Math.max(1, Math.floor(population / 2));
  const raw = Array.from({ length: count }, (_, i) => real.log((population + 1) / 2) - real.log(i + 1));
  const total = raw.reduce((a, b) => a + b);
  const weights = raw.map((w) => w / total);
  const effective = 1 / weights.reduce((a, w) => a + w * w, 0);
  const stepPath = (effective + 2) / (n + effective + 5);
  // A diagonal matrix has fewer parameters and can be learned faster.
  const speed = separable ? (n + 2) / 3 : 1;
  const rankOne = Math.min(1, (speed * 2) / ((n + 1.3) ** 2 + effective));
  const rankMany = (speed * 2 * (effective - 2 + 1 / effective)) / ((n + 2) ** 2 + effective);
  return {
    weights,
    effective,
    stepPath,
    damping: 1 + 2 * Math.max(0, Math.sqrt((effective - 1) / (n + 1)) - 1) + stepPath,
    path: (4 + effective / n) / (n + 4 + (2 * effective) / n),
    rankOne,
    rankMany: Math.min(1 - rankOne, rankMany),
    /** Approximate expected norm of n standard normal numbers. */
    length: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

/** CMA-ES on a vector, with two evolution paths, rank-one and rank-μ updates. */
export function covarianceAdaptation(
  start: Float64Array,
  o: CovarianceAdaptationOptions,
  random: Generator,
): Strategy {
  const n = start.length;
  const separable = n > o.full;
  const c = constants(n, o.population, separable);
  const every = Math.max(1, Math.floor(1 / (10 * n * (c.rankOne + c.rankMany))));
  const covariance = separable ? diagonal(n) : full(n, every);
  const centre = start.slice();
  const stepPath = new Float64Array(n);
  const path = new Float64Array(n);
  const state = { sigma: o.sigma, generation: 0 };
  const steps = Array.from({ length: o.population }, () => new Float64Array(n));
  const drawn = new Float64Array(n);
  const mean = new Float64Array(n);
  return {
    centre,
    get spread() {
      return state.sigma * Math.sqrt(covariance.variance);
    },
    ask(members) {
      members.forEach((member, i) => {
        for (let k = 0; k < n; k++) drawn[k] = random.normal();
        covariance.shape(drawn, steps[i]);
        for (let k = 0; k < n; k++) member[k] = centre[k] + state.sigma * steps[i][k];
      });
    },
    tell(returns) {
      const best = fromBest(returns).slice(0, c.weights.length);
      mean.fill(0);
      best.forEach((i, rank) => {
        for (let k = 0; k < n; k++) mean[k] += c.weights[rank] * steps[i][k];
      });
      for (let k = 0; k < n; k++) centre[k] += state.sigma * mean[k];

      // Recent steps, whitened: long if they agree, short if they cancel out.
      covariance.unshape(mean, drawn);
      const straight = Math.sqrt(c.stepPath * (2 - c.stepPath) * c.effective);
      for (let k = 0; k < n; k++) stepPath[k] = (1 - c.stepPath) * stepPath[k] + straight * drawn[k];
      const length = Math.sqrt(stepPath.reduce((a, x) => a + x * x, 0));
      const begun = 1 - real.pow(1 - c.stepPath, 2 * ++state.generation);
      // While steps still grow quickly, they would inflate the matrix too.
      const steady = length / Math.sqrt(begun) < (1.4 + 2 / (n + 1)) * c.length;

      const pull = steady ? Math.sqrt(c.path * (2 - c.path) * c.effective) : 0;
      for (let k = 0; k < n; k++) path[k] = (1 - c.path) * path[k] + pull * mean[k];
      const lost = steady ? 0 : c.rankOne * c.path * (2 - c.path);
      covariance.update(
        1 + lost - c.rankOne - c.rankMany,
        [path, ...best.map((i) => steps[i])],
        [c.rankOne, ...c.weights.map((w) => c.rankMany * w)],
      );
      state.sigma *= real.exp((c.stepPath / c.damping) * (length / c.length - 1));
    },
    parts: { centre, stepPath, path, state, covariance: covariance.parts, random },
  };
}
