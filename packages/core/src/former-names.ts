import { formerName } from "@reins/tensor";

// Names of version 0.1 that were renamed or moved. Using one throws an error that has the name now.

/** @deprecated Use `Actor` of `reins/core/loops`. */
export const Actor: never = /* @__PURE__ */ formerName("reins/core", "Actor", "Actor of reins/core/loops");
/** @deprecated Use `actorCritic` of `reins/core/policies`. */
export const actorCritic: never = /* @__PURE__ */ formerName(
  "reins/core",
  "actorCritic",
  "actorCritic of reins/core/policies",
);
/** @deprecated Use `admit` of `reins/core/plans`. */
export const admit: never = /* @__PURE__ */ formerName("reins/core", "admit", "admit of reins/core/plans");
/** @deprecated Use `withReference` of `reins/core/policies`. */
export const against: never = /* @__PURE__ */ formerName(
  "reins/core",
  "against",
  "withReference of reins/core/policies",
);
/** @deprecated Use `asEnv` of `reins/core/loops`. */
export const asEnv: never = /* @__PURE__ */ formerName("reins/core", "asEnv", "asEnv of reins/core/loops");
/** @deprecated Use `liveSettings` of `reins/core/settings`. */
export const bringToLife: never = /* @__PURE__ */ formerName(
  "reins/core",
  "bringToLife",
  "liveSettings of reins/core/settings",
);
/** @deprecated Use `perAgentSampler` of `reins/core/replay`. */
export const byAgent: never = /* @__PURE__ */ formerName(
  "reins/core",
  "byAgent",
  "perAgentSampler of reins/core/replay",
);
/** @deprecated Use `prioritisedSampler` of `reins/core/replay`. */
export const byPriority: never = /* @__PURE__ */ formerName(
  "reins/core",
  "byPriority",
  "prioritisedSampler of reins/core/replay",
);
/** @deprecated Use `certifiedReturn` of `reins/recipes`. */
export const certifiedReturn: never = /* @__PURE__ */ formerName(
  "reins/core",
  "certifiedReturn",
  "certifiedReturn of reins/recipes",
);
/** @deprecated Use `chained` of `reins/core/policies`. */
export const chained: never = /* @__PURE__ */ formerName(
  "reins/core",
  "chained",
  "chained of reins/core/policies",
);
/** @deprecated Use `checkValue` of `reins/core/spaces`. */
export const checkValue: never = /* @__PURE__ */ formerName(
  "reins/core",
  "checkValue",
  "checkValue of reins/core/spaces",
);
/** @deprecated Use `columns` of `reins/core/spaces`. */
export const columns: never = /* @__PURE__ */ formerName(
  "reins/core",
  "columns",
  "columns of reins/core/spaces",
);
/** @deprecated Use `contains` of `reins/core/spaces`. */
export const contains: never = /* @__PURE__ */ formerName(
  "reins/core",
  "contains",
  "contains of reins/core/spaces",
);
/** @deprecated Use `copyTree` of `reins/core/forms`. */
export const copyTree: never = /* @__PURE__ */ formerName(
  "reins/core",
  "copyTree",
  "copyTree of reins/core/forms",
);
/** @deprecated Use `DamagedDataError` of `reins/core/errors`. */
export const Damaged: never = /* @__PURE__ */ formerName(
  "reins/core",
  "Damaged",
  "DamagedDataError of reins/core/errors",
);
/** @deprecated Use `dataset` of `reins/core/replay`. */
export const dataset: never = /* @__PURE__ */ formerName(
  "reins/core",
  "dataset",
  "dataset of reins/core/replay",
);
/** @deprecated Use `defaultRng` of `reins/core/random`. */
export const defaultRng: never = /* @__PURE__ */ formerName(
  "reins/core",
  "defaultRng",
  "defaultRng of reins/core/random",
);
/** @deprecated Use `defaultSeed` of `reins/core/random`. */
export const defaultSeed: never = /* @__PURE__ */ formerName(
  "reins/core",
  "defaultSeed",
  "defaultSeed of reins/core/random",
);
/** @deprecated Use `planRequirements` of `reins/core/plans`. */
export const demandsOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "demandsOf",
  "planRequirements of reins/core/plans",
);
/** @deprecated Use `diagnose` of `reins/core/diagnostics`. */
export const diagnose: never = /* @__PURE__ */ formerName(
  "reins/core",
  "diagnose",
  "diagnose of reins/core/diagnostics",
);
/** @deprecated Use `didYouMean` of `reins/core/errors`. */
export const didYouMean: never = /* @__PURE__ */ formerName(
  "reins/core",
  "didYouMean",
  "didYouMean of reins/core/errors",
);
/** @deprecated Use `draw` of `reins/core/replay`. */
export const draw: never = /* @__PURE__ */ formerName("reins/core", "draw", "draw of reins/core/replay");
/** @deprecated Use `encoderFor` of `reins/core/policies`. */
export const encoderFor: never = /* @__PURE__ */ formerName(
  "reins/core",
  "encoderFor",
  "encoderFor of reins/core/policies",
);
/** @deprecated Use `EpisodeRollout` of `reins/core/loops`. */
export const EpisodeRollout: never = /* @__PURE__ */ formerName(
  "reins/core",
  "EpisodeRollout",
  "EpisodeRollout of reins/core/loops",
);
/** @deprecated Use `episodic` of `reins/core/loops`. */
export const episodic: never = /* @__PURE__ */ formerName(
  "reins/core",
  "episodic",
  "episodic of reins/core/loops",
);
/** @deprecated Use `estimate` of `reins/core/evaluations`. */
export const estimate: never = /* @__PURE__ */ formerName(
  "reins/core",
  "estimate",
  "estimate of reins/core/evaluations",
);
/** @deprecated Use `evaluate` of `reins/core/evaluations`. */
export const evaluate: never = /* @__PURE__ */ formerName(
  "reins/core",
  "evaluate",
  "evaluate of reins/core/evaluations",
);
/** @deprecated Use `evaluateAsync` of `reins/core/evaluations`. */
export const evaluateWith: never = /* @__PURE__ */ formerName(
  "reins/core",
  "evaluateWith",
  "evaluateAsync of reins/core/evaluations",
);
/** @deprecated Use `flatSize` of `reins/core/spaces`. */
export const flatSize: never = /* @__PURE__ */ formerName(
  "reins/core",
  "flatSize",
  "flatSize of reins/core/spaces",
);
/** @deprecated Use `flatten` of `reins/core/spaces`. */
export const flatten: never = /* @__PURE__ */ formerName(
  "reins/core",
  "flatten",
  "flatten of reins/core/spaces",
);
/** @deprecated Use `fromTraced` of `reins/core/forms`. */
export const fromTraced: never = /* @__PURE__ */ formerName(
  "reins/core",
  "fromTraced",
  "fromTraced of reins/core/forms",
);
/** @deprecated Use `Generator` of `reins/core/random`. */
export const Generator: never = /* @__PURE__ */ formerName(
  "reins/core",
  "Generator",
  "Generator of reins/core/random",
);
/** @deprecated Use `gradientNorm` of `reins/core/loops`. */
export const gradientNorm: never = /* @__PURE__ */ formerName(
  "reins/core",
  "gradientNorm",
  "gradientNorm of reins/core/loops",
);
/** @deprecated Use `gridOf` of `reins/core/loops`. */
export const gridOf: never = /* @__PURE__ */ formerName("reins/core", "gridOf", "gridOf of reins/core/loops");
/** @deprecated Use `gridUpdate` of `reins/core/loops`. */
export const gridUpdate: never = /* @__PURE__ */ formerName(
  "reins/core",
  "gridUpdate",
  "gridUpdate of reins/core/loops",
);
/** @deprecated Use `GridWindow` of `reins/core/loops`. */
export const GridWindow: never = /* @__PURE__ */ formerName(
  "reins/core",
  "GridWindow",
  "GridWindow of reins/core/loops",
);
/** @deprecated Use `headFor` of `reins/core/policies`. */
export const headFor: never = /* @__PURE__ */ formerName(
  "reins/core",
  "headFor",
  "headFor of reins/core/policies",
);
/** @deprecated Use `hindsight` of `reins/core/replay`. */
export const hindsight: never = /* @__PURE__ */ formerName(
  "reins/core",
  "hindsight",
  "hindsight of reins/core/replay",
);
/** @deprecated Use `History` of `reins/core/diagnostics`. */
export const History: never = /* @__PURE__ */ formerName(
  "reins/core",
  "History",
  "History of reins/core/diagnostics",
);
/** @deprecated Use `importanceSampling` of `reins/core/evaluations`. */
export const importanceSampling: never = /* @__PURE__ */ formerName(
  "reins/core",
  "importanceSampling",
  "importanceSampling of reins/core/evaluations",
);
/** @deprecated Use `optimiserStep` of `reins/core/loops`. */
export const improve: never = /* @__PURE__ */ formerName(
  "reins/core",
  "improve",
  "optimiserStep of reins/core/loops",
);
/** @deprecated Use `groupEpisodes` of `reins/core/episodes`. */
export const inGroups: never = /* @__PURE__ */ formerName(
  "reins/core",
  "inGroups",
  "groupEpisodes of reins/core/episodes",
);
/** @deprecated Use `inline` of `reins/core/plans`. */
export const inline: never = /* @__PURE__ */ formerName("reins/core", "inline", "inline of reins/core/plans");
/** @deprecated Use `requireInline` of `reins/core/plans`. */
export const inlineOnly: never = /* @__PURE__ */ formerName(
  "reins/core",
  "inlineOnly",
  "requireInline of reins/core/plans",
);
/** @deprecated Use `isNumberArray` of `reins/core/snapshots`. */
export const isNumberArray: never = /* @__PURE__ */ formerName(
  "reins/core",
  "isNumberArray",
  "isNumberArray of reins/core/snapshots",
);
/** @deprecated Use `isSaved` of `reins/core/snapshots`. */
export const isSaved: never = /* @__PURE__ */ formerName(
  "reins/core",
  "isSaved",
  "isSaved of reins/core/snapshots",
);
/** @deprecated Use `isScoringPolicy` of `reins/core/policies`. */
export const isScoring: never = /* @__PURE__ */ formerName(
  "reins/core",
  "isScoring",
  "isScoringPolicy of reins/core/policies",
);
/** @deprecated Use `joinRows` of `reins/core/episodes`. */
export const joinRows: never = /* @__PURE__ */ formerName(
  "reins/core",
  "joinRows",
  "joinRows of reins/core/episodes",
);
/** @deprecated Use `import * as judges from "reins/core/judges"`. */
export const judges: never = /* @__PURE__ */ formerName(
  "reins/core",
  "judges",
  'import * as judges from "reins/core/judges"',
);
/** @deprecated Use `lastOwnStep` of `reins/core/episodes`. */
export const lastOwnStep: never = /* @__PURE__ */ formerName(
  "reins/core",
  "lastOwnStep",
  "lastOwnStep of reins/core/episodes",
);
/** @deprecated Use `layoutOf` of `reins/core/spaces`. */
export const layoutOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "layoutOf",
  "layoutOf of reins/core/spaces",
);
/** @deprecated Use `learnFrom` of `reins/core/loops`. */
export const learnFrom: never = /* @__PURE__ */ formerName(
  "reins/core",
  "learnFrom",
  "learnFrom of reins/core/loops",
);
/** @deprecated Use `leastProbability` of `reins/core/evaluations`. */
export const leastProbability: never = /* @__PURE__ */ formerName(
  "reins/core",
  "leastProbability",
  "leastProbability of reins/core/evaluations",
);
/** @deprecated Use `LiveValue` of `reins/core/settings`. */
export const Live: never = /* @__PURE__ */ formerName(
  "reins/core",
  "Live",
  "LiveValue of reins/core/settings",
);
/** @deprecated Use `LiveColumn` of `reins/core/settings`. */
export const LiveColumn: never = /* @__PURE__ */ formerName(
  "reins/core",
  "LiveColumn",
  "LiveColumn of reins/core/settings",
);
/** @deprecated Use `liveMetrics` of `reins/core/metrics`. */
export const liveMetrics: never = /* @__PURE__ */ formerName(
  "reins/core",
  "liveMetrics",
  "liveMetrics of reins/core/metrics",
);
/** @deprecated Use `LiveTask` of `reins/core/settings`. */
export const LiveTask: never = /* @__PURE__ */ formerName(
  "reins/core",
  "LiveTask",
  "LiveTask of reins/core/settings",
);
/** @deprecated Use `import * as losses from "reins/core/losses"`. */
export const losses: never = /* @__PURE__ */ formerName(
  "reins/core",
  "losses",
  'import * as losses from "reins/core/losses"',
);
/** @deprecated Use `lossGradient` of `reins/core/loops`. */
export const lossGradient: never = /* @__PURE__ */ formerName(
  "reins/core",
  "lossGradient",
  "lossGradient of reins/core/loops",
);
/** @deprecated Use `makers` of `reins/core/episodes`. */
export const makers: never = /* @__PURE__ */ formerName(
  "reins/core",
  "makers",
  "makers of reins/core/episodes",
);
/** @deprecated Use `maskSize` of `reins/core/spaces`. */
export const maskSize: never = /* @__PURE__ */ formerName(
  "reins/core",
  "maskSize",
  "maskSize of reins/core/spaces",
);
/** @deprecated Use `EpisodeMeter` of `reins/core/loops`. */
export const Meter: never = /* @__PURE__ */ formerName(
  "reins/core",
  "Meter",
  "EpisodeMeter of reins/core/loops",
);
/** @deprecated Use `metricsPart` of `reins/core/metrics`. */
export const metricsPart: never = /* @__PURE__ */ formerName(
  "reins/core",
  "metricsPart",
  "metricsPart of reins/core/metrics",
);
/** @deprecated Use `mixed` of `reins/core/replay`. */
export const mixed: never = /* @__PURE__ */ formerName("reins/core", "mixed", "mixed of reins/core/replay");
/** @deprecated Use `mixture` of `reins/core/replay`. */
export const mixture: never = /* @__PURE__ */ formerName(
  "reins/core",
  "mixture",
  "mixture of reins/core/replay",
);
/** @deprecated Use `recordedStep` of `reins/core/episodes`. */
export const momentOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "momentOf",
  "recordedStep of reins/core/episodes",
);
/** @deprecated Use `closestNames` of `reins/core/errors`. */
export const nearest: never = /* @__PURE__ */ formerName(
  "reins/core",
  "nearest",
  "closestNames of reins/core/errors",
);
/** @deprecated Use `failWithoutLikelihood` of `reins/core/policies`. */
export const noLikelihood: never = /* @__PURE__ */ formerName(
  "reins/core",
  "noLikelihood",
  "failWithoutLikelihood of reins/core/policies",
);
/** @deprecated Use `normalProbability` of `reins/core/evaluations`. */
export const normalProbability: never = /* @__PURE__ */ formerName(
  "reins/core",
  "normalProbability",
  "normalProbability of reins/core/evaluations",
);
/** @deprecated Use `normalQuantile` of `reins/core/evaluations`. */
export const normalQuantile: never = /* @__PURE__ */ formerName(
  "reins/core",
  "normalQuantile",
  "normalQuantile of reins/core/evaluations",
);
/** @deprecated Use `nStep` of `reins/core/replay`. */
export const nStep: never = /* @__PURE__ */ formerName("reins/core", "nStep", "nStep of reins/core/replay");
/** @deprecated Use `observationAttacks` of `reins/recipes`. */
export const observationAttacks: never = /* @__PURE__ */ formerName(
  "reins/core",
  "observationAttacks",
  "observationAttacks of reins/recipes",
);
/** @deprecated Use `offline` of `reins/core/loops`. */
export const offline: never = /* @__PURE__ */ formerName(
  "reins/core",
  "offline",
  "offline of reins/core/loops",
);
/** @deprecated Use `offPolicy` of `reins/core/loops`. */
export const offPolicy: never = /* @__PURE__ */ formerName(
  "reins/core",
  "offPolicy",
  "offPolicy of reins/core/loops",
);
/** @deprecated Use `onPolicy` of `reins/core/loops`. */
export const onPolicy: never = /* @__PURE__ */ formerName(
  "reins/core",
  "onPolicy",
  "onPolicy of reins/core/loops",
);
/** @deprecated Use `openLoop` of `reins/core/forms`. */
export const openLoop: never = /* @__PURE__ */ formerName(
  "reins/core",
  "openLoop",
  "openLoop of reins/core/forms",
);
/** @deprecated Use `settingAt` of `reins/core/settings`. */
export const over: never = /* @__PURE__ */ formerName(
  "reins/core",
  "over",
  "settingAt of reins/core/settings",
);
/** @deprecated Use `ownSteps` of `reins/core/episodes`. */
export const ownSteps: never = /* @__PURE__ */ formerName(
  "reins/core",
  "ownSteps",
  "ownSteps of reins/core/episodes",
);
/** @deprecated Use `pack` of `reins/core/episodes`. */
export const pack: never = /* @__PURE__ */ formerName("reins/core", "pack", "pack of reins/core/episodes");
/** @deprecated Use `pathOf` of `reins/core/episodes`. */
export const pathOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "pathOf",
  "pathOf of reins/core/episodes",
);
/** @deprecated Use `PCG64` of `reins/core/random`. */
export const PCG64: never = /* @__PURE__ */ formerName("reins/core", "PCG64", "PCG64 of reins/core/random");
/** @deprecated Use `placeOf` of `reins/core/evaluations`. */
export const placeOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "placeOf",
  "placeOf of reins/core/evaluations",
);
/** @deprecated Use `PolicyRunner` of `reins/core/policies`. */
export const Player: never = /* @__PURE__ */ formerName(
  "reins/core",
  "Player",
  "PolicyRunner of reins/core/policies",
);
/** @deprecated Use `policyLearner` of `reins/core/loops`. */
export const policyLearner: never = /* @__PURE__ */ formerName(
  "reins/core",
  "policyLearner",
  "policyLearner of reins/core/loops",
);
/** @deprecated Use `randomAction` of `reins/core/loops`. */
export const randomAction: never = /* @__PURE__ */ formerName(
  "reins/core",
  "randomAction",
  "randomAction of reins/core/loops",
);
/** @deprecated Use `rangeOf` of `reins/core/policies`. */
export const rangeOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "rangeOf",
  "rangeOf of reins/core/policies",
);
/** @deprecated Use `readValue` of `reins/core/spaces`. */
export const readValue: never = /* @__PURE__ */ formerName(
  "reins/core",
  "readValue",
  "readValue of reins/core/spaces",
);
/** @deprecated Use `EpisodeRecorder` of `reins/core/loops`. */
export const Recorder: never = /* @__PURE__ */ formerName(
  "reins/core",
  "Recorder",
  "EpisodeRecorder of reins/core/loops",
);
/** @deprecated Use `recurrentActorCritic` of `reins/core/policies`. */
export const recurrentActorCritic: never = /* @__PURE__ */ formerName(
  "reins/core",
  "recurrentActorCritic",
  "recurrentActorCritic of reins/core/policies",
);
/** @deprecated Use `replay` of `reins/core/replay`. */
export const replay: never = /* @__PURE__ */ formerName(
  "reins/core",
  "replay",
  "replay of reins/core/replay",
);
/** @deprecated Use `reportFindings` of `reins/core/diagnostics`. */
export const reportFindings: never = /* @__PURE__ */ formerName(
  "reins/core",
  "reportFindings",
  "reportFindings of reins/core/diagnostics",
);
/** @deprecated Use `requireActingPolicy` of `reins/core/policies`. */
export const requireActing: never = /* @__PURE__ */ formerName(
  "reins/core",
  "requireActing",
  "requireActingPolicy of reins/core/policies",
);
/** @deprecated Use `restore` of `reins/core/snapshots`. */
export const restore: never = /* @__PURE__ */ formerName(
  "reins/core",
  "restore",
  "restore of reins/core/snapshots",
);
/** @deprecated Use `rowSeeds` of `reins/core/forms`. */
export const rowSeeds: never = /* @__PURE__ */ formerName(
  "reins/core",
  "rowSeeds",
  "rowSeeds of reins/core/forms",
);
/** @deprecated Use `sampleValue` of `reins/core/spaces`. */
export const sampleValue: never = /* @__PURE__ */ formerName(
  "reins/core",
  "sampleValue",
  "sampleValue of reins/core/spaces",
);
/** @deprecated Use `save` of `reins/core/snapshots`. */
export const save: never = /* @__PURE__ */ formerName("reins/core", "save", "save of reins/core/snapshots");
/** @deprecated Use `saving` of `reins/core/snapshots`. */
export const saving: never = /* @__PURE__ */ formerName(
  "reins/core",
  "saving",
  "saving of reins/core/snapshots",
);
/** @deprecated Use `scopes` of `reins/core/signals`. */
export const scopes: never = /* @__PURE__ */ formerName(
  "reins/core",
  "scopes",
  "scopes of reins/core/signals",
);
/** @deprecated Use `scoreOf` of `reins/core/episodes`. */
export const scoreOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "scoreOf",
  "scoreOf of reins/core/episodes",
);
/** @deprecated Use `seedOf` of `reins/core/random`. */
export const seedOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "seedOf",
  "seedOf of reins/core/random",
);
/** @deprecated Use `SeedSequence` of `reins/core/random`. */
export const SeedSequence: never = /* @__PURE__ */ formerName(
  "reins/core",
  "SeedSequence",
  "SeedSequence of reins/core/random",
);
/** @deprecated Use `import * as selections from "reins/core/selections"`. */
export const selections: never = /* @__PURE__ */ formerName(
  "reins/core",
  "selections",
  'import * as selections from "reins/core/selections"',
);
/** @deprecated Use `clipGradient` of `reins/core/loops`. */
export const shorten: never = /* @__PURE__ */ formerName(
  "reins/core",
  "shorten",
  "clipGradient of reins/core/loops",
);
/** @deprecated Use `showSpace` of `reins/core/spaces`. */
export const showSpace: never = /* @__PURE__ */ formerName(
  "reins/core",
  "showSpace",
  "showSpace of reins/core/spaces",
);
/** @deprecated Use `shuffled` of `reins/core/loops`. */
export const shuffled: never = /* @__PURE__ */ formerName(
  "reins/core",
  "shuffled",
  "shuffled of reins/core/loops",
);
/** @deprecated Use `import * as signals from "reins/core/signals"`. */
export const signals: never = /* @__PURE__ */ formerName(
  "reins/core",
  "signals",
  'import * as signals from "reins/core/signals"',
);
/** @deprecated Use `single` of `reins/core/forms`. */
export const single: never = /* @__PURE__ */ formerName("reins/core", "single", "single of reins/core/forms");
/** @deprecated Use `sizeOf` of `reins/core/episodes`. */
export const sizeOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "sizeOf",
  "sizeOf of reins/core/episodes",
);
/** @deprecated Use `Statistics` of `reins/core/metrics`. */
export const Statistics: never = /* @__PURE__ */ formerName(
  "reins/core",
  "Statistics",
  "Statistics of reins/core/metrics",
);
/** @deprecated Use `StepRollout` of `reins/core/loops`. */
export const StepRollout: never = /* @__PURE__ */ formerName(
  "reins/core",
  "StepRollout",
  "StepRollout of reins/core/loops",
);
/** @deprecated Use `stepsOf` of `reins/core/episodes`. */
export const stepsOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "stepsOf",
  "stepsOf of reins/core/episodes",
);
/** @deprecated Use `stream` of `reins/core/random`. */
export const stream: never = /* @__PURE__ */ formerName(
  "reins/core",
  "stream",
  "stream of reins/core/random",
);
/** @deprecated Use `SumTree` of `reins/core/replay`. */
export const SumTree: never = /* @__PURE__ */ formerName(
  "reins/core",
  "SumTree",
  "SumTree of reins/core/replay",
);
/** @deprecated Use `import * as targets from "reins/core/targets"`. */
export const targets: never = /* @__PURE__ */ formerName(
  "reins/core",
  "targets",
  'import * as targets from "reins/core/targets"',
);
/** @deprecated Use `import * as tasks from "reins/core/tasks"`. */
export const tasks: never = /* @__PURE__ */ formerName(
  "reins/core",
  "tasks",
  'import * as tasks from "reins/core/tasks"',
);
/** @deprecated Use `teams` of `reins/core/policies`. */
export const teams: never = /* @__PURE__ */ formerName("reins/core", "teams", "teams of reins/core/policies");
/** @deprecated Use `withActionTransform` of `reins/core/policies`. */
export const through: never = /* @__PURE__ */ formerName(
  "reins/core",
  "through",
  "withActionTransform of reins/core/policies",
);
/** @deprecated Use `TransitionRollout` of `reins/core/loops`. */
export const TransitionRollout: never = /* @__PURE__ */ formerName(
  "reins/core",
  "TransitionRollout",
  "TransitionRollout of reins/core/loops",
);
/** @deprecated Use `uniformSampler` of `reins/core/replay`. */
export const uniformly: never = /* @__PURE__ */ formerName(
  "reins/core",
  "uniformly",
  "uniformSampler of reins/core/replay",
);
/** @deprecated Use `initTrainState` of `reins/core/loops`. */
export const unlearned: never = /* @__PURE__ */ formerName(
  "reins/core",
  "unlearned",
  "initTrainState of reins/core/loops",
);
/** @deprecated Use `unroll` of `reins/core/forms`. */
export const unroll: never = /* @__PURE__ */ formerName("reins/core", "unroll", "unroll of reins/core/forms");
/** @deprecated Use `valueOf` of `reins/core/settings`. */
export const valueOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "valueOf",
  "valueOf of reins/core/settings",
);
/** @deprecated Use `vectorise` of `reins/core/forms`. */
export const vectorise: never = /* @__PURE__ */ formerName(
  "reins/core",
  "vectorise",
  "vectorise of reins/core/forms",
);
/** @deprecated Use `vectoriseMulti` of `reins/core/forms`. */
export const vectoriseMulti: never = /* @__PURE__ */ formerName(
  "reins/core",
  "vectoriseMulti",
  "vectoriseMulti of reins/core/forms",
);
/** @deprecated Use `policyInput` of `reins/core/episodes`. */
export const viewOf: never = /* @__PURE__ */ formerName(
  "reins/core",
  "viewOf",
  "policyInput of reins/core/episodes",
);
/** @deprecated Use `whenReady` of `reins/core/plans`. */
export const whenReady: never = /* @__PURE__ */ formerName(
  "reins/core",
  "whenReady",
  "whenReady of reins/core/plans",
);
/** @deprecated Use `onPolicyWindow` of `reins/core/loops`. */
export const windowed: never = /* @__PURE__ */ formerName(
  "reins/core",
  "windowed",
  "onPolicyWindow of reins/core/loops",
);
/** @deprecated Use `windows` of `reins/core/replay`. */
export const windows: never = /* @__PURE__ */ formerName(
  "reins/core",
  "windows",
  "windows of reins/core/replay",
);
/** @deprecated Use `Writer` of `reins/core/loops`. */
export const Writer: never = /* @__PURE__ */ formerName("reins/core", "Writer", "Writer of reins/core/loops");
/** @deprecated Use `writeValue` of `reins/core/spaces`. */
export const writeValue: never = /* @__PURE__ */ formerName(
  "reins/core",
  "writeValue",
  "writeValue of reins/core/spaces",
);
