/** `reins/envs/remote`: environments outside of this thread, in Python or in workers. It needs Node. */
export * from "@reins/envs/remote";
