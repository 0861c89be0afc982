/** Functions that need Node: directories and files. Loaded on demand; in browsers `#node` is `browser.ts`. */
export { RunDirectory, readPlain } from "@reins/core/directory";
export { languageAgent } from "./agents/language-agent.ts";
export { readLanguageWeights } from "./agents/language-file.ts";
export { agentFileOf, readRunFiles } from "./agents/run-files.ts";
export { storedOptions } from "./places/code-options.ts";
export { sourceFromFile } from "./places/file-source.ts";
export { algorithmFromModule } from "./places/module.ts";
export { sourceInPython } from "./places/python.ts";
export { isDatasetPath } from "./places/text/dataset-path.ts";
export { keptJudge, noJudge } from "./places/text/judge.ts";
export { taskNamed, textSource } from "./places/text/named.ts";
export { checkTarget, isTrusted, refuseCode } from "./places/trust.ts";
export { curvesOf } from "./terminal/curves.ts";
export { printProgress, seedsPrinter } from "./terminal/print-progress.ts";
export { askRun } from "./training/ask-run.ts";
export { csvFile } from "./training/csv-file.ts";
export { openRunWriter, RunWriter } from "./training/run-writer.ts";
export { wandbFile } from "./training/wandb-file.ts";
