import { fail } from "@reins/core";

/** Replaces `node.ts` in browsers: `#node` in package.json chooses between the two. */
const missing = () =>
  fail("reins", "browsers have no directories. Omit `directory` and use the result of run.save().");
/** A worker of a page is one file: all modules must be part of it. */
const noTerminal = () =>
  fail("train", "`progress` prints to a terminal, which a page does not have. Use `onProgress`.");

export const RunDirectory = { open: missing };
export const restoreRun = missing;
export const readPlain = missing;
export const readLanguageWeights = missing;
export const languageAgent = missing;
/** In browsers a name is a URL, without a run directory. */
export const agentFileOf = (path: string) => path;
export const readRunFiles = () => ({});
export const openRunWriter = missing;
export const storedOptions = missing;
export const sourceFromFile = missing;
export const algorithmFromModule = missing;
export const isTrusted = () => false;
export const checkCode = missing;
export const checkTarget = missing;
export const sourceInPython = () => undefined;
export const askRun = missing;
export const csvFile = missing;
export const wandbFile = missing;
export const curvesOf = missing;
export const printProgress = noTerminal;
export const seedsPrinter = noTerminal;
export const keptJudge = () => undefined;
export const noJudge = missing;
export const isDatasetPath = () => false;
export const isExamplesPath = () => false;
export const taskNamed = async () => undefined;
export const dataSource = missing;
export const textSource = () =>
  fail("reins", "browsers have no model folders. Create a textStage of @reins/language and train on it.");
export class RunWriter {
  constructor() {
    missing();
  }
}
