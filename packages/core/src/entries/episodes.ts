/** `@reins/core/episodes`: functions of episodes and batches: steps of a policy, groups, packing into columns. */
export { joinRows, joinTrees, pack, sizeOf } from "../batch.ts";
export { lastOwnStep, makers, ownSteps, pathOf, stepsOf } from "../episode.ts";
export { policyInput, recordedStep } from "../recorded-step.ts";
export { groupEpisodes, scoreOf } from "../selection.ts";
