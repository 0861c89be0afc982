/** `reins/core/diagnostics`: why a run does not learn: rules over its history, and their findings. */
export * from "@reins/core/diagnostics";
