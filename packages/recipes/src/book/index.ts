export { builtFile, findBook, loadEntry, recipeFiles, type System, systemsOf } from "./book.ts";
export { cacheFolder, type Performed, type PerformOptions, perform, Stopped } from "./perform.ts";
export { type Finding, firstEvaluationSeed, type MeasureOptions, measure, type Runner } from "./protocol.ts";
export { explained, type Measured, type Result, readResult, resultPath, writeResult } from "./result.ts";
export { codeHash, sourcesOf } from "./sources.ts";
export { effectText, type Row, rowsOf, stateOf, tablePage } from "./table.ts";
export { type Job, type Kept, runTrial } from "./trial.ts";
export {
  type Check,
  keepVerified,
  readVerified,
  type Verified,
  type VerifyOptions,
  verify,
} from "./verify.ts";
export { keep } from "./warm.ts";
