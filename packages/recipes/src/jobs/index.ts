/** `@reins/recipes/jobs`: long measurements in processes of their own, which go on where they were stopped. Needs Node. */
export { Journal } from "./journal.ts";
export { type Failure, type Finished, type PoolOptions, runTasks, type Worker } from "./pool.ts";
export { type ForkOptions, forked, type SpawnOptions, serveTasks, spawned } from "./processes.ts";
