export { type CurriculumOptions, curriculum } from "./curriculum.ts";
export { type EndlessOptions, endless } from "./endless.ts";
export { type EpochsOptions, epochs, ofStage } from "./epochs.ts";
export { ledSamples } from "./led-samples.ts";
export { type ListMixtureOptions, type ListMixturePart, listMixture } from "./list-mixture.ts";
export { neymanAllocation } from "./neyman-allocation.ts";
export { type RoundsOptions, rounds } from "./rounds.ts";
export { type VarianceBankOptions, varianceBank } from "./variance-bank.ts";
