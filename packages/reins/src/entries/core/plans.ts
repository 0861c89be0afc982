/** `reins/core/plans`: execution plans: where batches come from, and which plans an algorithm supports. */
export * from "@reins/core/plans";
