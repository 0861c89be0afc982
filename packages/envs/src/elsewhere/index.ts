/** `@reins/envs/elsewhere`: environments outside of this thread, in Python or in workers, and ours for programs outside. It needs Node. */
export { makerIn } from "./from-module.ts";
export { gymnasium, type PythonOptions, type PythonPlace, pettingzoo } from "./python.ts";
export { serveEnv } from "./serve.ts";
export { inWorkers, type WorkersEnv, type WorkersOptions } from "./workers.ts";
