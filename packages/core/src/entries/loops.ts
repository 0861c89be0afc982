/** `@reins/core/loops`: training loops (on-policy, off-policy, offline, episodic) and their parts: rollouts, updates, gradients. */
export { requireAlgorithm } from "../algorithm.ts";
export { BatchedRuns } from "../batched-runs.ts";
export { checkPlace } from "../define.ts";
export { Actor, type ActorOptions } from "../loop/actor.ts";
export type { Auxiliary } from "../loop/auxiliary.ts";
export { type EpisodePolicy, episodesIn } from "../loop/environment-episodes.ts";
export { EpisodeRollout, type EpisodeRolloutOptions } from "../loop/episode-rollout.ts";
export { episodeScores } from "../loop/episode-scores.ts";
export { type EpisodicParts, episodic } from "../loop/episodic.ts";
export type { ReferencePart } from "../loop/frozen-reference.ts";
export {
  clipGradient,
  gradientNorm,
  type LossGradientInput,
  lossGradient,
  meanWhere,
} from "../loop/gradient.ts";
export { gridOf, Writer } from "../loop/grid.ts";
export type { Round } from "../loop/grid-round.ts";
export {
  type GridUpdate,
  type GridUpdateInput,
  gridUpdate,
  inRows,
  type PlayedGrid,
  targetsOf,
} from "../loop/grid-update.ts";
export { GridWindow } from "../loop/grid-window.ts";
export { type Learning, type LearningInput, learnFrom, standardise } from "../loop/learn-from.ts";
export { EpisodeMeter } from "../loop/meter.ts";
export { type OffPolicyParts, offPolicy } from "../loop/off-policy.ts";
export { type OfflineParts, offline } from "../loop/offline.ts";
export { type OnPolicyParts, onPolicy } from "../loop/on-policy.ts";
export { type OnPolicyWindowParts, onPolicyWindow } from "../loop/on-policy-window.ts";
export { initTrainState, type OptimiserOptions, optimiserStep } from "../loop/optimiser-step.ts";
export { policyLearner } from "../loop/policy-learner.ts";
export { randomAction } from "../loop/random-action.ts";
export { type EpisodeOutcome, EpisodeRecorder, type StepRecord } from "../loop/recorder.ts";
export { shuffled } from "../loop/shuffle.ts";
export {
  type GridBatch,
  type GridColumns,
  StepRollout,
  type StepRolloutOptions,
} from "../loop/step-rollout.ts";
export { TransitionRollout, type TransitionRolloutOptions } from "../loop/transition-rollout.ts";
export { type ValidationOptions, validated } from "../loop/validation.ts";
export { asEnv, type RunEnv, type RunEnvOptions } from "../run-env.ts";
