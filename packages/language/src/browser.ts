import { fail } from "@reins/core";

/** Stands in for `node.ts` where there is no Node: importing is free, and what cannot work says so when it is used. */
const noFiles = (): never =>
  fail(
    "language",
    "a browser has no folders. Fetch the bytes: readSafetensors() and hubTokenizer() take them.",
  );
const noSandbox = (): never =>
  fail("sandbox", "programs are run in Node only. Choose a task whose answers are not run.");

export const existsSync = noFiles;
export const mkdir = noFiles;
export const readdir = noFiles;
export const readFile = noFiles;
export const replaceFile = noFiles;
export const dirname = noFiles;
export const join = noFiles;
export const cwd = noSandbox;
export const createServer = (): never => fail("gateway", "a browser serves nobody. Run it in Node.");
export const spawn = noSandbox;
export const pathToFileURL = noSandbox;
export const readFileSync = noSandbox;
export const availableParallelism = noSandbox;
// These are called when a module is loaded; what they give is used when something is run.
export const createRequire = () => ({ resolve: noSandbox });
export const createContext = (room: object) => room;
export class Script {
  runInContext = noSandbox;
}
export class Worker {
  constructor() {
    noSandbox();
  }
}
