export { accumulate } from "./accumulate.ts";
export { type AdamOptions, adam, adamW } from "./adam.ts";
export { polyak } from "./average.ts";
export { clipGlobalNorm, clipValue, globalNorm } from "./clip.ts";
export { type LionOptions, lion } from "./lion.ts";
export { type MinimiseOptions, minimise } from "./minimise.ts";
export type {
  DecayOptions,
  Optimiser,
  OptimiserResult,
  OptimiserState,
  UpdateSettings,
} from "./optimiser.ts";
export { skipZeroGradients } from "./parameter-sets.ts";
export { fixedNorm } from "./project.ts";
export { type RAdamOptions, rAdam } from "./radam.ts";
export { type RmsPropOptions, rmsProp } from "./rmsprop.ts";
export type { OptimiserSchedule, RampOptions } from "./schedules.ts";
export { type SgdOptions, sgd } from "./sgd.ts";
export { keepZeros } from "./sparse.ts";
