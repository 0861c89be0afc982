export { chain } from "./chain.ts";
export { informative } from "./informative.ts";
export { successes } from "./successes.ts";
export { untruncated } from "./untruncated.ts";
export { watch } from "./watch.ts";
