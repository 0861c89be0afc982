/** `reins/core/episodes`: functions of episodes and batches: steps of a policy, groups, packing into columns. */
export * from "@reins/core/episodes";
