/** `@reins/core/targets`: targets of updates: advantages and returns, from GAE to group-relative ones. */
export * from "../targets/index.ts";
