export { type CurriculumOptions, curriculum } from "./curriculum.ts";
export { type EndlessOptions, endless } from "./endless.ts";
export { type EpochsOptions, epochs, ofStage } from "./epochs.ts";
export { leading } from "./leading.ts";
export { type RoundsOptions, rounds } from "./rounds.ts";
export { uncertain } from "./uncertain.ts";
export { shareOfVariance, type VarianceBankOptions, varianceBank } from "./variance-bank.ts";
