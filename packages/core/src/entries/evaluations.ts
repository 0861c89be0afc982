/** `@reins/core/evaluations`: evaluation of agents, and the statistics of its results. */
export {
  checkSpaces,
  type EvaluateOptions,
  type EvaluationObserver,
  evaluate,
  evaluateAsync,
  placeOf,
  returnBoundsOf,
} from "../evaluate.ts";
export { choleskyFactor, solveLower, solveUpper } from "../evaluations/cholesky.ts";
export { estimate } from "../evaluations/estimate.ts";
export {
  fitGaussianMixture,
  type GaussianMixture,
  type MixtureComponent,
  sampleComponent,
} from "../evaluations/gaussian-mixture.ts";
export { meanOf } from "../evaluations/mean.ts";
export { normalProbability, normalQuantile } from "../evaluations/normal.ts";
export { type ImportanceOptions, importanceSampling } from "../evaluations/off-policy.ts";
export { leastProbability, proportionInterval } from "../evaluations/proportion.ts";
export { rankCorrelation } from "../evaluations/rank-correlation.ts";
export { studentQuantile } from "../evaluations/student.ts";
