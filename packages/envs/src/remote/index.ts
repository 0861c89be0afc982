/**
 * `@reins/envs/remote`: environments outside of this thread, in Python or in workers (threads or processes),
 * and Reins environments for other programs. It needs Node.
 */

export type { WorkersEnv } from "./distributed-env.ts";
export { environmentFactory } from "./from-module.ts";
export { gymnasium, type PythonEnvSource, type PythonOptions, pettingzoo } from "./python.ts";
export { serveEnv } from "./serve.ts";
export { inWorkers, type WorkerKind, type WorkersOptions } from "./workers.ts";
