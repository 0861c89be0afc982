/** `reins/envs/elsewhere`: environments outside of this thread, in Python or in workers. It needs Node. */
export * from "@reins/envs/elsewhere";
