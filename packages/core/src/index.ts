/** `@reins/core`: the abstractions of reinforcement learning, and the training loop that connects them. */
export * from "./algorithm.ts";
export { angles } from "./angles.ts";
export * from "./batch.ts";
export { BatchedRuns } from "./batched-runs.ts";
export * from "./body.ts";
export { dataset } from "./dataset.ts";
export * from "./define.ts";
export * from "./definition.ts";
export { diagnose, diagnostics, report as reportFindings } from "./diagnostics/diagnose.ts";
export { History } from "./diagnostics/history.ts";
export {
  type Diagnostic,
  type Evidence,
  type Finding,
  type Limits,
  pageOf,
  type Symptom,
} from "./diagnostics/rule.ts";
export { LogSchedule } from "./directory/schedule.ts";
export type { Color, Point, Rendering, Shape } from "./drawing.ts";
export * from "./env.ts";
export * from "./environment.ts";
export * from "./episode.ts";
export * from "./errors.ts";
export * from "./evaluate.ts";
export * from "./evaluation.ts";
export {
  answerMeasures,
  calibrationError,
  majorityRight,
  passAt,
  type SampledAnswer,
} from "./evaluations/answers.ts";
export { estimate, meanInterval } from "./evaluations/estimate.ts";
export {
  fitGaussianMixture,
  type GaussianMixture,
  type MixtureComponent,
  sampleComponent,
} from "./evaluations/gaussian-mixture.ts";
export { fitGaussianProcess, GaussianProcess } from "./evaluations/gaussian-process.ts";
export { meanOf } from "./evaluations/mean.ts";
export { normalProbability, normalQuantile } from "./evaluations/normal.ts";
export {
  type Attackable,
  type ObservationAttack,
  observationAttacks,
} from "./evaluations/observation-attack.ts";
export { type ImportanceOptions, importanceSampling } from "./evaluations/off-policy.ts";
export { leastProbability, proportionInterval } from "./evaluations/proportion.ts";
export { type CertificateOptions, certifiedReturn } from "./evaluations/smoothing-certificate.ts";
export { studentQuantile } from "./evaluations/student.ts";
export type { Experience, ReplayBuffer } from "./experience.ts";
export { requireSynchronous } from "./forms/async-answers.ts";
export { copyTree } from "./forms/copy.ts";
export { mergeSnapshots, splitSnapshot } from "./forms/copy-snapshots.ts";
export { vectoriseMulti } from "./forms/multi.ts";
export type { MultiEnv } from "./forms/multi-env.ts";
export { openLoop } from "./forms/open-loop.ts";
export { rowSeeds } from "./forms/row-seeds.ts";
export { Rows } from "./forms/rows.ts";
export { single } from "./forms/single.ts";
export { fromTraced } from "./forms/traced-vector.ts";
export { type Unrolled, type UnrollOptions, unroll } from "./forms/unroll.ts";
export { vectorise } from "./forms/vectorise.ts";
export { glossary, glossaryTable, type MetricEntry, metricEntry } from "./glossary.ts";
export { goalReached, goalReward, goalRewardFor, goalSize } from "./goals.ts";
export type { Judge, JudgeContext, Verdict } from "./judge.ts";
/** Reward functions for whole episodes: length penalties, format rewards, and ways to combine judges. */
export * as judges from "./judges.ts";
export type { Learner, TrainState, UpdateInput, UpdateResult } from "./learner.ts";
export { Actor, type ActorOptions } from "./loop/actor.ts";
export type { Auxiliary } from "./loop/auxiliary.ts";
export { when } from "./loop/condition.ts";
export { type EpisodePolicy, episodesIn } from "./loop/environment-episodes.ts";
export { EpisodeRollout, type EpisodeRolloutOptions } from "./loop/episode-rollout.ts";
export { episodeScores } from "./loop/episode-scores.ts";
export { type EpisodicParts, episodic } from "./loop/episodic.ts";
export type { ReferencePart } from "./loop/frozen-reference.ts";
export { clipGradient, gradientNorm, lossGradient, meanWhere } from "./loop/gradient.ts";
export { gridOf, Writer } from "./loop/grid.ts";
export type { Round } from "./loop/grid-round.ts";
export { type GridUpdate, gridUpdate, inRows, targetsOf } from "./loop/grid-update.ts";
export { GridWindow } from "./loop/grid-window.ts";
export { type Learning, learnFrom, standardise } from "./loop/learn-from.ts";
export { EpisodeMeter } from "./loop/meter.ts";
export {
  type OffPolicyParts,
  offPolicy,
} from "./loop/off-policy.ts";
export { type OfflineParts, offline } from "./loop/offline.ts";
export { type OnPolicyParts, onPolicy } from "./loop/on-policy.ts";
export { type OnPolicyWindowParts, onPolicyWindow } from "./loop/on-policy-window.ts";
export { initTrainState, type OptimiserOptions, optimiserStep } from "./loop/optimiser-step.ts";
export { type Phase, phases } from "./loop/phases.ts";
export { policyLearner } from "./loop/policy-learner.ts";
export { randomAction } from "./loop/random-action.ts";
export { type EpisodeOutcome, EpisodeRecorder, type StepRecord } from "./loop/recorder.ts";
export { shuffled } from "./loop/shuffle.ts";
export {
  type GridBatch,
  type GridColumns,
  StepRollout,
  type StepRolloutOptions,
} from "./loop/step-rollout.ts";
export { TransitionRollout, type TransitionRolloutOptions } from "./loop/transition-rollout.ts";
export { type ValidationOptions, validated } from "./loop/validation.ts";
export type { LossInput, LossTerm } from "./loss.ts";
/** Terms of a loss, which are summed: policy gradients, value errors, entropy, imitation. */
export * as losses from "./losses/index.ts";
export * from "./numpy/index.ts";
export {
  checkNames,
  checkSize,
  choice,
  code,
  type Option,
  type OptionsOf,
  type OptionTable,
  setting,
  size,
} from "./option.ts";
export * from "./plan.ts";
export { type ActorCriticOptions, type ActorCriticWeights, actorCritic } from "./policies/actor-critic.ts";
export { type BodyLayer, bodyLayer } from "./policies/body-layer.ts";
export { type ChainedWeights, chained } from "./policies/chained.ts";
export { rangeOf } from "./policies/continuous.ts";
export { type ConvolutionalOptions, convolutional } from "./policies/convolutional.ts";
export { bodyFor } from "./policies/custom-body.ts";
export { encoderFor } from "./policies/encoder.ts";
export {
  type ActVariant,
  type ExportedPolicy,
  exportPolicy,
  importPolicy,
} from "./policies/exported-policy.ts";
export { framesNetwork } from "./policies/frames-network.ts";
export type { Head, HeadOptions } from "./policies/head.ts";
export { headFor } from "./policies/heads.ts";
export { type ReturnScale, updateReturnScale } from "./policies/pop-art.ts";
export {
  type RecurrentActorCriticOptions,
  type RecurrentWeights,
  recurrentActorCritic,
} from "./policies/recurrent.ts";
export { withReference } from "./policies/reference.ts";
export { type SetNetworkOptions, setNetwork } from "./policies/set-network.ts";
export { teams } from "./policies/teams.ts";
export { type ValueForm, valueBins } from "./policies/value-form.ts";
export * from "./policy.ts";
export * from "./policy-runner.ts";
export { printable } from "./printable.ts";
export { checkUsualRange, type RangeName, ranges, type UsualRange, usualRange } from "./range.ts";
export * from "./recorded-step.ts";
export * from "./replay/index.ts";
export type { EpisodeSource, Rollout, RolloutInput } from "./rollout.ts";
export { Run } from "./run.ts";
export { asEnv, type RunEnv, type RunEnvOptions } from "./run-env.ts";
export type { RunOptions } from "./run-options.ts";
export { groupEpisodes, type JudgedEpisode, type Selection, scoreOf } from "./selection.ts";
/** Which judged episodes are trained on, and when to sample more. */
export * as selections from "./selections/index.ts";
/** Makers of signals: schedules (`linear`, `cosine`, …), controllers (`pi`, `dual`, …) and columns. */
export * as signals from "./signal.ts";
export {
  type Controller,
  type LiveSettingState,
  type Schedule,
  type Scope,
  type Setting,
  type Signal,
  scopes,
} from "./signal.ts";
export { formOf, signalForms } from "./signal-form.ts";
export {
  LiveColumn,
  type LiveOf,
  LiveTask,
  LiveValue,
  liveSettings,
  type Scalar,
  type SettingValue,
  settingAt,
  valueOf,
} from "./signals/live.ts";
export * from "./snapshot.ts";
export * from "./space.ts";
export { check as checkValue, contains } from "./spaces/check.ts";
export { spaceFault } from "./spaces/fault.ts";
export { flatSize, flatten } from "./spaces/flatten.ts";
export { fittingLabels, labelFault } from "./spaces/labels.ts";
export { type Column, columns, type Layout, layoutOf } from "./spaces/layout.ts";
export { maskSize } from "./spaces/mask.ts";
export { sample as sampleValue } from "./spaces/sample.ts";
export { show as showSpace } from "./spaces/show.ts";
export { read as readValue, write as writeValue } from "./spaces/write.ts";
export type { Episodes, ServeOptions, ServerHandle, Stage, StageEvaluation } from "./stage.ts";
export { type Statistic, Statistics } from "./statistics.ts";
export { defaultSeed, seedOf, stream } from "./stream.ts";
export type { EpisodeTarget, Fragment, Target } from "./target.ts";
/** Targets of updates: advantages and returns, from GAE to group-relative ones. */
export * as targets from "./targets/index.ts";
export * from "./task.ts";
/** Sources of problems: endless generators, curricula, allocation of samples by uncertainty. */
export * as tasks from "./tasks/index.ts";
