export { accumulate } from "./accumulate.ts";
export { adam, type AdamOptions, adamW } from "./adam.ts";
export { polyak } from "./average.ts";
export { clipGlobalNorm, clipValue, globalNorm } from "./clip.ts";
export { lion, type LionOptions } from "./lion.ts";
export type { DecayOptions, Optimiser, OptimiserState, Updated, UpdateSettings } from "./optimiser.ts";
export { rmsProp, type RmsPropOptions } from "./rmsprop.ts";
export type { RampOptions, Schedule } from "./schedules.ts";
export { sgd, type SgdOptions } from "./sgd.ts";
