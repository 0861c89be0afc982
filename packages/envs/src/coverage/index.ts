/** Coverage fields, where each cell counts once. */

export { CoverageEnv, type CoverageEnvOptions, coverageEnv } from "./env.ts";
export {
  type CoverageField,
  type CoverageFieldOptions,
  look as lookAround,
  marginalGain,
  randomField,
  walked,
} from "./field.ts";
export { coverageBound, greedyCoverage, plannedCoverage, type SlipOptions } from "./plans.ts";
export { CoverageWalk, type CoverageWalkOptions } from "./walk.ts";
