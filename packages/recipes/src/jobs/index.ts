/** `@reins/recipes/jobs`: long, resumable measurements in separate processes. Needs Node. */
export { Journal } from "./journal.ts";
export { type Failure, type Finished, type PoolOptions, runTasks, type Worker } from "./pool.ts";
export { type ForkOptions, forked, type SpawnOptions, serveTasks, spawned } from "./processes.ts";
