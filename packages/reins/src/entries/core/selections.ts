/** `reins/core/selections`: which judged episodes are trained on, and when to sample more. */
export * from "@reins/core/selections";
