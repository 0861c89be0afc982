export { chain } from "./chain.ts";
export { informative } from "./informative.ts";
export { type QueuedOptions, queued } from "./queued.ts";
export { successes } from "./successes.ts";
export { untruncated } from "./untruncated.ts";
export { watch } from "./watch.ts";
