/** `reins/core`: the contracts of learning and the training loops, for authors of algorithms. */
export * from "@reins/core";
