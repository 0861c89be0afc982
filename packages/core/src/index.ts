/**
 * `@reins/core`: the contracts of reinforcement learning (space, environment, policy, algorithm, run) and `define`. Implementations are in
 * subpaths by subject: `@reins/core/loops`, `@reins/core/losses`, `@reins/core/policies` and others.
 */
export {
  type Algorithm,
  type AlgorithmContext,
  type CompiledRound,
  type CurrentPolicy,
  type Inspection,
  type Metrics,
  type Process,
  type RoundResult,
  type Started,
  withSettings,
} from "./algorithm.ts";
export type { Batch, Columns, Index } from "./batch.ts";
export { define } from "./define.ts";
export * from "./definition.ts";
export type { Color, Point, Rendering, RenderShape } from "./drawing.ts";
export type {
  Agents,
  AsyncEnv,
  Env,
  EnvContext,
  EnvSpec,
  Goals,
  Info,
  ResetOptions,
  Step,
  TracedEnv,
  VectorEnv,
  VectorResetOptions,
} from "./env.ts";
export type {
  Environment,
  EpisodeEnvironment,
  LearnsFrom,
  RecordedEnvironment,
  StepEnvironment,
  Trains,
} from "./environment.ts";
export type { Episode, Maker, Segment } from "./episode.ts";
export { fail, ReinsError } from "./errors.ts";
export * from "./evaluation.ts";
export type { Experience, ReplayBuffer } from "./experience.ts";
export * from "./former-names.ts";
export type { MultiEnv } from "./forms/multi-env.ts";
export type { Judge, JudgeContext, Verdict } from "./judge.ts";
export type { Learner, TrainState, UpdateInput, UpdateResult } from "./learner.ts";
export { when } from "./loop/condition.ts";
export { type Phase, phases } from "./loop/phases.ts";
export type { LossInput, LossTerm } from "./loss.ts";
export { choice, code, type Option, type OptionsOf, type OptionTable, setting, size } from "./option.ts";
export type { BatchSource, BatchStream, ExecutionPlan, PlanRequirements } from "./plan.ts";
export type {
  ActingPolicy,
  ActionResult,
  ActionScores,
  ActOptions,
  Likelihood,
  Policy,
  ScoringPolicy,
  Weighted,
} from "./policy.ts";
export type { PolicyInput, RecordedStep } from "./recorded-step.ts";
export type { EpisodeSource, Rollout, RolloutInput } from "./rollout.ts";
export { Run } from "./run.ts";
export type { RunOptions } from "./run-options.ts";
export type { JudgedEpisode, Selection } from "./selection.ts";
export type { Controller, LiveSettingState, Schedule, Scope, Setting, Signal } from "./signal.ts";
export type { Parts, Saved, Snapshot } from "./snapshot.ts";
export * from "./space.ts";
export type {
  ComparisonOptions,
  Episodes,
  ServeOptions,
  ServerHandle,
  Stage,
  StageEvaluation,
} from "./stage.ts";
export type { EpisodeTarget, Fragment, Target } from "./target.ts";
export * from "./task.ts";
