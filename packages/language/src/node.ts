/** Everything that needs Node: files, processes, threads. In browsers `#node` is `browser.ts`. */
export { type ChildProcess, spawn } from "node:child_process";
export { setMaxListeners } from "node:events";
export { existsSync, readFileSync } from "node:fs";
export { mkdir, readdir, readFile } from "node:fs/promises";
export { createServer } from "node:http";
export { createRequire } from "node:module";
export { availableParallelism } from "node:os";
export { dirname, join } from "node:path";
export { cwd } from "node:process";
export { pathToFileURL } from "node:url";
export { createContext, Script } from "node:vm";
export { Worker } from "node:worker_threads";
export { lineFile, temporaryLines } from "@reins/core/directory";
export { replaceFile } from "./replace-file.ts";

/** Whether `Script` can interrupt what it runs. */
export const canInterrupt: boolean = true;
