import { fail } from "@reins/core";

/** Replaces `node.ts` in browsers: importing works, and functions that need Node throw when called. */
const noFiles = (): never =>
  fail(
    "language",
    "browsers have no file system. Fetch the bytes and pass them to readSafetensors() and hubTokenizer().",
  );
const noSandbox = (): never =>
  fail("sandbox", "sandboxes need Node. Choose a task whose answers are not executed.");

export const existsSync = noFiles;
export const mkdir = noFiles;
export const readdir = noFiles;
export const readFile = noFiles;
export const lineFile = noFiles;
export const temporaryLines = noFiles;
export const replaceFile = noFiles;
export const dirname = noFiles;
export const join = noFiles;
export const cwd = noSandbox;
export const createServer = (): never => fail("gateway", "a server cannot run in a browser. Run it in Node.");
export const spawn = noSandbox;
export const pathToFileURL = noSandbox;
export const readFileSync = noSandbox;
export const availableParallelism = noSandbox;
// Called when a module is loaded; their results are used only when a sandbox runs.
export const createRequire = () => ({ resolve: noSandbox });
/** Browsers have no limit. */
export const setMaxListeners = (): void => {};
export const canInterrupt: boolean = false;
export const createContext = (room: object) => room;
export class Script {
  runInContext = noSandbox;
}
export class Worker {
  constructor() {
    noSandbox();
  }
}
