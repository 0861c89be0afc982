export { chain } from "./chain.ts";
export { nonZeroVariance } from "./informative.ts";
export { type ReplayGroupsOptions, replayGroups } from "./replay-groups.ts";
export { replaySuccesses } from "./successes.ts";
export { dropTruncated } from "./truncation.ts";
export { watch } from "./watch.ts";
