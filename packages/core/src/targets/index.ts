export { againstGreedy, lengthWeighted, whitened } from "./baselines.ts";
export { type GaeOptions, gae } from "./gae.ts";
export { type GroupOptions, groupRelative, groupsOf, spread } from "./group.ts";
export { leaveOneOut } from "./leave-one-out.ts";
export { type NStepOptions, nStepReturns } from "./n-step.ts";
export { type ActionStretch, retrace } from "./retrace.ts";
export { rewardsToGo } from "./returns.ts";
export { discountedReturns, tdLambda } from "./td-lambda.ts";
export { type VTraceOptions, vTrace } from "./v-trace.ts";
