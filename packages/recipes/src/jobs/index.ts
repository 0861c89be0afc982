/** `@reins/recipes/jobs`: long, resumable measurements in separate processes. Needs Node. */
export { Journal } from "./journal.ts";
export { type Failure, type Finished, type PoolOptions, runTasks, type Worker } from "./pool.ts";
export { type ForkOptions, forkedWorker, type SpawnOptions, serveTasks, spawnedWorker } from "./processes.ts";
