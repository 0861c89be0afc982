export { effectSize, simplesOf } from "../claims/claim.ts";
export { type Sample, samplesOf } from "../claims/effects.ts";
export { builtFile, findBook, loadEntry, recipeFiles, type System, systemsOf } from "./book.ts";
export { type Cluster, clustersOf } from "./cluster.ts";
export { type CodeLayer, codeOf, ownFilesMoved, type RecipeCode, recordedCode, sameCode } from "./code.ts";
export { type Continuation, continuationOf } from "./continuation.ts";
export { factsOf, findingOf } from "./facts.ts";
export { type Attempt, archiveResult, attemptTexts, nextBlock, readHistory } from "./history.ts";
export { type EvidenceLevel, levelOf } from "./level.ts";
export { cacheFolder } from "./open-recipe.ts";
export { pagesOf } from "./pages/pages.ts";
export { type BookTexts, textsOf } from "./pages/texts.ts";
export { type MeasuredRecipe, measureRecipe } from "./perform.ts";
export type { Plan } from "./plan.ts";
export { type Preparation, rolesOf } from "./prepare.ts";
export {
  blockStart,
  firstEvaluationSeed,
  type MeasureOptions,
  measure,
  type ProtocolResult,
  tableOfAll,
} from "./protocol.ts";
export { type Block, tableOf } from "./record.ts";
export { type ChangedVerdict, rejudge } from "./rejudge.ts";
export { counted, type Machine, type Result, readResult, resultPath, writeResult } from "./result.ts";
export { type BookRow, disagreements, familiesOf, formsOf, rowsOf, stateOf } from "./rows.ts";
export { codeHash, sourcesOf } from "./sources.ts";
export { testbedVersion } from "./testbed-record.ts";
export { type Job, type Runner, runTrial, type StoredOutcome } from "./trial.ts";
export type { TuningRecord } from "./tuning.ts";
export { type Check, type RecipeVerification, readVerifications, storeVerification } from "./verification.ts";
export { type VerifyOptions, verify } from "./verify.ts";
export { keep } from "./warm.ts";
export { type PerformOptions, Stopped } from "./workshop.ts";
