/** `reins/core/directory`: the directory that holds a run, on a disk. It needs Node. */
export * from "@reins/core/directory";
