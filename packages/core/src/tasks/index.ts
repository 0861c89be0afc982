export { type CurriculumOptions, curriculum } from "./curriculum.ts";
export { type EndlessOptions, endless } from "./endless.ts";
export { type EpochsOptions, epochs, ofStage } from "./epochs.ts";
export { referenceSamples } from "./leading.ts";
export { type RoundsOptions, rounds } from "./rounds.ts";
export { neymanAllocation } from "./uncertain.ts";
export { shareOfVariance, type VarianceBankOptions, varianceBank } from "./variance-bank.ts";
