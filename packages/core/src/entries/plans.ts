/** `@reins/core/plans`: execution plans: where batches come from, and which plans an algorithm supports. */
export { admit, inline, planRequirements, requireInline, requirePlan, whenReady, withPlan } from "../plan.ts";
