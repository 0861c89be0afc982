/** Wrappers: a VectorEnv around another one. */
export { type AdversaryOptions, type Attackable, adversary } from "./adversary.ts";
export { clipAction, clipReward } from "./clip.ts";
export { compose, type EnvWrapper } from "./compose.ts";
export { type Contexts, context } from "./context.ts";
export { flattenObservation } from "./flatten-observation.ts";
export { frameStack } from "./frame-stack.ts";
export { stochasticReward } from "./lottery.ts";
export { noise } from "./noise.ts";
export {
  type NormalisedObservation,
  type NormaliseObservationOptions,
  normaliseObservation,
} from "./normalise-observation.ts";
export { type NormalisedReward, type NormaliseRewardOptions, normaliseReward } from "./normalise-reward.ts";
export { type RecordEpisodesOptions, type RecordedEpisodes, type RecordWrapper, record } from "./record.ts";
export { type RescaleOptions, rescaleAction, rescaleObservation } from "./rescale.ts";
export { runningNormaliser } from "./running-normaliser.ts";
export { RunningStatistics } from "./running-statistics.ts";
export { sparseReward } from "./sparse-reward.ts";
export { stickyActions } from "./sticky-actions.ts";
export { timeLimit } from "./time-limit.ts";
export { innermost, type ReplacedColumns, Wrapper } from "./wrapper.ts";
