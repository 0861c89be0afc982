/** `reins/core/directory`: the directory of a run. It needs Node. */
export * from "@reins/core/directory";
