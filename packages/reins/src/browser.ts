import { fail } from "@reins/core";

/** Stands in for `node.ts` where there is no Node: `#node` in package.json chooses between the two. */
const missing = () =>
  fail("reins", "a browser has no directories. Leave `directory` out, and keep what run.save() gives.");
/** A worker of a page is one file: nothing may be loaded later that is not in it. */
const noTerminal = () =>
  fail(
    "train",
    "`progress` prints lines in a terminal, and a page has none. Show what `onProgress` is told.",
  );

export const RunDirectory = { open: missing };
export const readPlain = missing;
export const readWords = missing;
export const agentInWords = missing;
/** In browsers a name is an address, and nothing is beside it. */
export const agentFileOf = (path: string) => path;
export const besideAgent = () => ({});
export const keep = missing;
export const storedOptions = missing;
export const sourceFromFile = missing;
export const algorithmFromModule = missing;
export const isTrusted = () => false;
export const refuseCode = missing;
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
export const taskNamed = async () => undefined;
export const textSource = () =>
  fail(
    "reins",
    "a browser has no folders of models. Make a textStage of @reins/language, and train on that.",
  );
export class Keeper {
  constructor() {
    missing();
  }
}
