/** `reins/core/metrics`: metrics of a run: statistics, the glossary of names, how often they are written. */
export * from "@reins/core/metrics";
