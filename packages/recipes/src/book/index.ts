export { builtFile, findBook, loadEntry, recipeFiles, type System, systemsOf } from "./book.ts";
export { type Code, codeOf, type Layer, sameCode } from "./code.ts";
export { factsOf, findingOf } from "./facts.ts";
export { forestPlot } from "./forest.ts";
export { type Attempt, nextBlock, readHistory, retire } from "./history.ts";
export { cacheFolder, type Performed, type PerformOptions, perform, Stopped } from "./perform.ts";
export type { Plan } from "./plan.ts";
export {
  blockStart,
  castOf,
  type Findings,
  firstEvaluationSeed,
  type MeasureOptions,
  measure,
  type Prepared,
  tableOfAll,
} from "./protocol.ts";
export { type Block, tableOf } from "./record.ts";
export { counted, type Machine, type Result, readResult, resultPath, writeResult } from "./result.ts";
export { codeHash, sourcesOf } from "./sources.ts";
export {
  disagreements,
  familiesOf,
  familyPage,
  formsOf,
  type Row,
  rowsOf,
  stateOf,
  tablePage,
} from "./table.ts";
export { type Job, type Kept, type Runner, runTrial } from "./trial.ts";
export type { TuningRecord } from "./tuning.ts";
export {
  type Check,
  keepVerified,
  readVerified,
  type Verified,
  type VerifyOptions,
  verify,
} from "./verify.ts";
export { keep } from "./warm.ts";
