export { discountedReturns, type GaeOptions, gae } from "./gae.ts";
export { type GroupOptions, groupRelative, spread } from "./group.ts";
export { rewardsToGo } from "./returns.ts";
