export type { ArmAlgorithmOptions } from "./arm-algorithm.ts";
export type { Bed, Citation, Condition, OnTestbed, Presupposed, SmallestEffect } from "./bed.ts";
export type { WarmStart } from "./book/warm.ts";
export { byName } from "./by-name.ts";
export {
  type Bounded,
  type Claim,
  type Contrast,
  type Correlation,
  type Difference,
  type Equals,
  type Equivalent,
  type Holds,
  type Interaction,
  type JointClaim,
  kindOf,
  type Method,
  type NoWorse,
  type Ordering,
  type Precondition,
  type RatioClaim,
  type Simple,
  type TimeToReach,
} from "./claims/claim.ts";
export type { Roles } from "./claims/effects.ts";
export { type Judgement, judge, type Part } from "./claims/judge.ts";
export { mean, pooled, type Table } from "./claims/table.ts";
export { claimText, effectOf, effectText, figure } from "./claims/text.ts";
export { type ClaimVerdict, classify, closeTo, decided, noWorse, together } from "./claims/verdict.ts";
export { type Latency, SimulatedClock } from "./clock.ts";
export type { ArmContent } from "./content.ts";
export { type Coverage, coverageTexts, methodsOf, type SurveyedMethod } from "./coverage.ts";
export * from "./former-names.ts";
export { type Choice, type Grid, type GridLimits, pointsOf, type Settings } from "./grid.ts";
export { type LearnOptions, learn } from "./learn.ts";
export { type LearnSideOptions, learnArm } from "./learn-arm.ts";
export { recipe } from "./make.ts";
export { DivergedError, type Metric, type Outcome } from "./outcome.ts";
export {
  type Arm,
  armsOf,
  type Budget,
  type Entry,
  type Facts,
  type Mapped,
  type Recipe,
  type Suite,
  type Trial,
  tunedArms,
} from "./recipe.ts";
export { recordedMean } from "./recorded-mean.ts";
export { type ObservationAttack, observationAttacks } from "./robustness/observation-attack.ts";
export { type CertificateOptions, certifiedReturn } from "./robustness/smoothing-certificate.ts";
export { RunLog, roundOf } from "./run-log.ts";
export { bcaInterval, type Interval, tInterval } from "./statistics/interval.ts";
export { rankCorrelation, slope } from "./statistics/ranks.ts";
export { mapped } from "./survey.ts";
export { type TableLearner, type TableSideOptions, tableArm } from "./table-arm.ts";
export { type ArmTask, type TasksSideOptions, tasksArm } from "./tasks-arm.ts";
export { type Testbed, testbed } from "./testbed.ts";
export type { RowClaim, RowOptions, TestbedOptions } from "./testbed-options.ts";
