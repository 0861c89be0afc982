/** `reins/core/loops`: training loops (on-policy, off-policy, offline, episodic) and their parts: rollouts, updates, gradients. */
export * from "@reins/core/loops";
